"""Forms of a word that no ending gives away: irregular ones, short ones, and two words for one thing."""

__all__ = ["BASES", "ENGLISH_STOP_WORDS", "EVERYDAY", "STOP_CHARACTERS", "STOP_WORDS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH_STOP_WORDS = _words("""
    a an the and or but nor so if then than that this these those such as at by for from in into of off on
    onto to with within without about is am are was were be been being do does did doing done don dont
    doesnt didnt isnt arent wasnt wont cant couldnt wouldnt shouldnt has have had having i im ive id ill me
    my mine myself we our ours us you your yours youre he him his she her hers it its itself they them their
    theirs what which who whom whose when where why how will would shall should can could may might must not
    no yes too very just any some there here s t d ll m re ve
""")
"""Words that stand in every English text and say nothing about it."""

STOP_WORDS = ENGLISH_STOP_WORDS | _words("""
    aber al alors ao aos aquele au auch auf aus aussi aux avec avez avons bei beim bist bitte ca ce cela
    ces cet cette chez com comment como con cual cuales cuando da dann dans darf das dass de dein deja
    del dem den denn der des desde dich dir doch donc donde dort du durch e ein eine einem einen einer
    eines el ela ele eles ella elle elles ellos em en entre er es esa ese eso essa esse est esta estan
    estar estas este esto et etait ete etes etre eu euch faire fait faut foi fue fur habe haben han
    hasta hat hatte hay hier ich ihr il ils isso ist isto j ja je kann kein keine keinen konnen l la las
    le les leur leurs lo los lui ma mais mal mas mein meine meu mi mich minha mir mit moi mon muito muss
    mussen muy n na nach nao nas ne ni nicht noch nos nosotros notre nous nur o oder ohne onde ont ou
    par para pas pela pelo pero peut peux plus por porque pour pourquoi qu quais qual quand quando que
    quel quelle quelles quels quem qui quien quoi sa sans sao schon se sehr sem ser ses seu seus si sich
    sie sin sind sobre soll sollen son sont sous su sua suis sur sus ta te tem tes ton tres tu tus u
    uber um uma umas un una unas und une unos uns unser unter usted ustedes vers voce voces vom von vor
    vos votre vous wann waren warum welche welcher welches wenn wer werden wie wir wird wo wurde y ya yo
    zu zum zur
    а без будет будто бы был была было быть в вас во вот все вы где да даже для до его ее еи ему если
    есть еще же за и из или их к как какои когда кто ли меня мне может мы на надо не него неи нет ни
    нибудь ничего но ну о он она они от по под потом потому раз с сам себе себя со так там тебя теперь
    то того тоже тут ты у уже чего чем что чтоб это этого этот я
""")
"""The same of six more languages; what means something in English or in code is not among them."""

STOP_CHARACTERS = frozenset(
    "あいかがこさしすせそたってでとどなにねのはへまもやよらるれを一上下不与个中么也了什从他以们会你到可吗吧呢和哪啊嘛在她它对就怎我或把是有没的给能被要请跟这這那都里가고과는도로를에와은"
    "을의이"
)
"""The same of scripts that put no spaces between words: particles, pronouns, endings."""

EVERYDAY = _words("""
    please help want need like suggest recommend know tell find give get make use try look think show let go
    come see say thing something anything everything way lot really also now new good great best better nice
    time day today year week month people person able maybe perhaps much many more most other another one
    two first last next back even still well right sure okay hi hello hey thank out up down over again only
    own same both each few all between through during before after until while because ever never always
    often sometimes usually current recent interest wonder start work provide share tip idea advice
    information detail question answer issue problem kind type sort bit little big different specific
    mention discuss talk previous early ago far long short point part place case feel guy actual basic exact
    definite keep put take ask explain every quite
""")
"""Words of any conversation: they count half, because a small store cannot know how common they are."""

_FAMILIES = """
begin:began begun start
break:broke broken
bring:brought
build:built
buy:bought purchase
catch:caught
choose:chose chosen choice
come:came
deal:dealt
draw:drew drawn
drink:drank drunk
drive:drove driven
eat:ate eaten
fall:fell fallen
feel:felt
fight:fought
find:found
fly:flew flown
forget:forgot forgotten
freeze:froze frozen
get:got gotten
give:gave given
go:went gone goes going
grow:grew grown
hear:heard
hide:hid hidden
hold:held
keep:kept
know:knew known
lead:led
leave:left
lend:lent
lose:lost
make:made
mean:meant
meet:met
pay:paid
ride:rode ridden
rise:rose risen
run:ran
say:said
see:saw seen
sell:sold
send:sent
shake:shook shaken
shoot:shot
show:shown
shrink:shrank shrunk
sing:sang sung
sink:sank sunk
sit:sat
sleep:slept
speak:spoke spoken
spend:spent
stand:stood
steal:stole stolen
stick:stuck
strike:struck
swim:swam swum
take:took taken
teach:taught
tear:tore torn
tell:told
think:thought
throw:threw thrown
understand:understood
wake:woke woken
wear:wore worn
win:won
write:wrote written
child:children kid
man:men
woman:women
person:people
foot:feet
tooth:teeth
mouse:mice
analysis:analyses
datum:data
index:indices
wife:wives
knife:knives
half:halves
mother:mom mum mommy
father:dad daddy
television:tv
picture:photo photograph pic
movie:film
car:vehicle automobile
doctor:physician
lawyer:attorney
color:colour
favorite:favourite
center:centre
license:licence
behavior:behaviour
gray:grey
program:programme
application:app
administrator:admin
argument:arg args
asynchronous:async
authentication:auth authn
authorization:authz
command:cmd
configuration:config cfg conf
database:db
dependency:dep deps
development:dev
directory:dir folder
documentation:doc docs
environment:env
function:func fn
internationalization:i18n
javascript:js
kubernetes:k8s
library:lib
localization:l10n
maximum:max
message:msg
minimum:min
mobile:cellphone smartphone
number:num
package:pkg
parameter:param
password:passwd pwd
postgresql:postgres psql
production:prod
python:py
reference:ref
repository:repo
request:req
response:resp
source:src
specification:spec
statistics:stats stat
string:str
synchronize:sync
temporary:temp tmp
typescript:ts
utility:util
variable:var
version:ver
"""

BASES = {
    form: base
    for base, _, forms in (family.partition(":") for family in _FAMILIES.split("\n"))
    for form in forms.split()
}
"""Each form with the word it counts as."""
