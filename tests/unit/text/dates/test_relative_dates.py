"""Days that are meant once get their date beside the words; habits, names, idioms and code are left alone."""

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.text.dates.calendar import absolute_dates
from memdir.text.dates.relative_dates import relative_dates, with_absolute_dates

SUNDAY = date(2026, 11, 15)
MONDAY = date(2026, 11, 16)
THURSDAY = date(2026, 11, 19)
NEW_YEARS_EVE = date(2026, 12, 31)  # a Thursday
BEFORE_LEAP_DAY = date(2028, 2, 28)  # a Monday
LEAP_DAY = date(2028, 2, 29)
BEFORE_MARCH = date(2026, 2, 28)  # a Saturday
END_OF_JANUARY = date(2026, 1, 31)

WRITTEN = [
    # days
    (SUNDAY, "We ship today.", "We ship today (2026-11-15)."),
    (SUNDAY, "as of today", "as of today (2026-11-15)"),
    (SUNDAY, "It is read-only now today.", "It is read-only now today (2026-11-15)."),
    (SUNDAY, "No deploys this Friday.", "No deploys this Friday (2026-11-20)."),
    (SUNDAY, "Never push. The release is on Friday.", "Never push. The release is on Friday (2026-11-20)."),
    (SUNDAY, "We ship tomorrow.", "We ship tomorrow (2026-11-16)."),
    (SUNDAY, "Tomorrow we ship.", "Tomorrow (2026-11-16) we ship."),
    (SUNDAY, "It broke yesterday.", "It broke yesterday (2026-11-14)."),
    (SUNDAY, "by tonight", "by tonight (2026-11-15)"),
    (SUNDAY, "We decided this morning.", "We decided this morning (2026-11-15)."),
    (SUNDAY, "It failed last night.", "It failed last night (2026-11-14)."),
    (SUNDAY, "the day after tomorrow", "the day after tomorrow (2026-11-17)"),
    (SUNDAY, "the day before yesterday", "the day before yesterday (2026-11-13)"),
    (SUNDAY, "by end of day", "by end of day (2026-11-15)"),
    (SUNDAY, "by EOD", "by EOD (2026-11-15)"),
    (SUNDAY, "by EOD Friday", "by EOD Friday (2026-11-20)"),
    (NEW_YEARS_EVE, "by tomorrow", "by tomorrow (2027-01-01)"),
    (BEFORE_LEAP_DAY, "by tomorrow", "by tomorrow (2028-02-29)"),
    (LEAP_DAY, "by tomorrow", "by tomorrow (2028-03-01)"),
    (BEFORE_MARCH, "by tomorrow", "by tomorrow (2026-03-01)"),
    (date(2027, 1, 1), "since yesterday", "since yesterday (2026-12-31)"),
    (SUNDAY, "It ends a week from tomorrow.", "It ends a week from tomorrow (2026-11-23)."),
    (SUNDAY, "It starts in nineteen days.", "It starts in nineteen days (2026-12-04)."),
    (SUNDAY, "It runs out in exactly thirty days.", "It runs out in exactly thirty days (2026-12-15)."),
    (SUNDAY, "Due on the last day of next month.", "Due on the last day of next month (2026-12-31)."),
    (SUNDAY, "We move at the start of May.", "We move at the start of May (2027-05-01)."),
    (SUNDAY, "The deadline is the 20th.", "The deadline is the 20th (2026-11-20)."),
    (SUNDAY, "They change on 1 May and we got fined.", "They change on 1 May (2027-05-01) and we got fined."),
    # weekdays
    (SUNDAY, "by Thursday", "by Thursday (2026-11-19)"),
    (SUNDAY, "The freeze starts on Thursday", "The freeze starts on Thursday (2026-11-19)"),
    (SUNDAY, "It starts Thursday because it broke.", "It starts Thursday (2026-11-19) because it broke."),
    (SUNDAY, "Thursday we ship.", "Thursday (2026-11-19) we ship."),
    (SUNDAY, "Deadline: Thursday", "Deadline: Thursday (2026-11-19)"),
    (SUNDAY, "- Friday: demo", "- Friday (2026-11-20): demo"),
    (SUNDAY, "| Friday | demo |", "| Friday (2026-11-20) | demo |"),
    (SUNDAY, "Friday is the deadline", "Friday (2026-11-20) is the deadline"),
    (SUNDAY, "by Friday noon", "by Friday (2026-11-20) noon"),
    (SUNDAY, "by Fri", "by Fri (2026-11-20)"),
    (SUNDAY, "by friday", "by friday (2026-11-20)"),
    (SUNDAY, "The release was moved to Thursday", "The release was moved to Thursday (2026-11-19)"),
    (THURSDAY, "by Thursday", "by Thursday (2026-11-26)"),
    (THURSDAY, "this Thursday", "this Thursday (2026-11-19)"),
    (THURSDAY, "next Thursday", "next Thursday (2026-11-26)"),
    (THURSDAY, "last Thursday", "last Thursday (2026-11-12)"),
    (MONDAY, "next Thursday", "next Thursday (2026-11-26)"),
    (MONDAY, "this Thursday", "this Thursday (2026-11-19)"),
    (MONDAY, "last Friday we cut the branch", "last Friday (2026-11-13) we cut the branch"),
    (MONDAY, "this coming Monday", "this coming Monday (2026-11-16)"),
    (MONDAY, "Since Thursday the build is red", "Since Thursday (2026-11-12) the build is red"),
    (MONDAY, "Tuesday next week", "Tuesday next week (2026-11-24)"),
    (MONDAY, "next week on Tuesday", "next week on Tuesday (2026-11-24)"),
    (MONDAY, "Tuesday of last week", "Tuesday of last week (2026-11-10)"),
    (MONDAY, "a week from Thursday", "a week from Thursday (2026-11-26)"),
    (SUNDAY, "Thursday's demo is cancelled", "Thursday's (2026-11-19) demo is cancelled"),
    (SUNDAY, "our next Thursday's demo", "our next Thursday's (2026-11-19) demo"),
    (SUNDAY, "tomorrow\u2019s demo", "tomorrow\u2019s (2026-11-16) demo"),
    (NEW_YEARS_EVE, "by Thursday", "by Thursday (2027-01-07)"),
    (NEW_YEARS_EVE, "by Friday", "by Friday (2027-01-01)"),
    # counted
    (SUNDAY, "in 3 days", "in 3 days (2026-11-18)"),
    (SUNDAY, "In two days we ship.", "In two days (2026-11-17) we ship."),
    (SUNDAY, "in two weeks", "in two weeks (2026-11-29)"),
    (SUNDAY, "in twelve days", "in twelve days (2026-11-27)"),
    (SUNDAY, "in a couple of weeks", "in a couple of weeks (2026-11-29)"),
    (SUNDAY, "in a fortnight", "in a fortnight (2026-11-29)"),
    (SUNDAY, "a fortnight ago", "a fortnight ago (2026-11-01)"),
    (SUNDAY, "due in 2 weeks' time", "due in 2 weeks' time (2026-11-29)"),
    (SUNDAY, "ten days from now", "ten days from now (2026-11-25)"),
    (SUNDAY, "3 days ago", "3 days ago (2026-11-12)"),
    (SUNDAY, "a week ago", "a week ago (2026-11-08)"),
    (SUNDAY, "The token expires in 30 days.", "The token expires in 30 days (2026-12-15)."),
    (SUNDAY, "in six months", "in six months (2027-05-15)"),
    (SUNDAY, "a year ago", "a year ago (2025-11-15)"),
    (END_OF_JANUARY, "in a month", "in a month (2026-02-28)"),
    (END_OF_JANUARY, "in three months", "in three months (2026-04-30)"),
    (LEAP_DAY, "in a year", "in a year (2029-02-28)"),
    (LEAP_DAY, "in four years", "in four years (2032-02-29)"),
    (LEAP_DAY, "a year ago", "a year ago (2027-02-28)"),
    (NEW_YEARS_EVE, "in two months", "in two months (2027-02-28)"),
    (NEW_YEARS_EVE, "in one quarter", "in one quarter (2027-03-31)"),
    # periods
    (MONDAY, "We deliver next week, not before.", "We deliver next week (week of 2026-11-23), not before."),
    (MONDAY, "by next week", "by next week (week of 2026-11-23)"),
    (MONDAY, "early next week", "early next week (week of 2026-11-23)"),
    (MONDAY, "on call: platform (next week)", "on call: platform (next week (week of 2026-11-23))"),
    (MONDAY, "this week", "this week (week of 2026-11-16)"),
    (MONDAY, "last week's outage", "last week's (week of 2026-11-09) outage"),
    (MONDAY, "the week after next", "the week after next (week of 2026-11-30)"),
    (MONDAY, "this weekend", "this weekend (2026-11-21)"),
    (SUNDAY, "next month", "next month (2026-12)"),
    (SUNDAY, "by next month", "by next month (2026-12)"),
    (SUNDAY, "last month's numbers", "last month's (2026-10) numbers"),
    (SUNDAY, "this quarter", "this quarter (Q4 2026)"),
    (SUNDAY, "next quarter", "next quarter (Q1 2027)"),
    (SUNDAY, "last year", "last year (2025)"),
    (SUNDAY, "next March", "next March (2027-03)"),
    (SUNDAY, "last March", "last March (2026-03)"),
    (NEW_YEARS_EVE, "next month", "next month (2027-01)"),
    (NEW_YEARS_EVE, "next week", "next week (week of 2027-01-04)"),
    (NEW_YEARS_EVE, "next year", "next year (2027)"),
    (NEW_YEARS_EVE, "next quarter", "next quarter (Q1 2027)"),
    (date(2027, 1, 1), "last quarter", "last quarter (Q4 2026)"),
    (date(2027, 1, 1), "this week", "this week (week of 2026-12-28)"),
    # their ends
    (MONDAY, "by the end of the week", "by the end of the week (2026-11-20)"),
    (SUNDAY, "by EOW", "by EOW (2026-11-20)"),
    (MONDAY, "by the end of next week", "by the end of next week (2026-11-27)"),
    (SUNDAY, "by EOM", "by EOM (2026-11-30)"),
    (SUNDAY, "by end of quarter", "by end of quarter (2026-12-31)"),
    (SUNDAY, "by EOQ", "by EOQ (2026-12-31)"),
    (SUNDAY, "by EOY", "by EOY (2026-12-31)"),
    (SUNDAY, "end of next quarter", "end of next quarter (2027-03-31)"),
    (SUNDAY, "start of next month", "start of next month (2026-12-01)"),
    (SUNDAY, "the middle of next month", "the middle of next month (2026-12-15)"),
    (SUNDAY, "by mid-month", "by mid-month (2026-11-15)"),
    (MONDAY, "by mid-month", "by mid-month (2026-12-15)"),
    (BEFORE_LEAP_DAY, "by end of month", "by end of month (2028-02-29)"),
    (BEFORE_MARCH, "by end of month", "by end of month (2026-02-28)"),
    (NEW_YEARS_EVE, "by end of next month", "by end of next month (2027-01-31)"),
    # once, though routines are put much the same
    (SUNDAY, "We ship on Friday", "We ship on Friday (2026-11-20)"),
    (SUNDAY, "the freeze starts Thursday", "the freeze starts Thursday (2026-11-19)"),
    (SUNDAY, "demo is Thursday", "demo is Thursday (2026-11-19)"),
    (SUNDAY, "The demo is Thursday at 3pm", "The demo is Thursday (2026-11-19) at 3pm"),
    (SUNDAY, "The migration runs on Sunday", "The migration runs on Sunday (2026-11-22)"),
    (SUNDAY, "The release goes out on Tuesday", "The release goes out on Tuesday (2026-11-17)"),
    (SUNDAY, "The retro is moved to Friday", "The retro is moved to Friday (2026-11-20)"),
    (SUNDAY, "Cancel the standup on Friday", "Cancel the standup on Friday (2026-11-20)"),
    (SUNDAY, "No luck, so the demo is on Friday", "No luck, so the demo is on Friday (2026-11-20)"),
    # without their year
    (SUNDAY, "GPU time runs out Dec 15", "GPU time runs out Dec 15 (2026-12-15)"),
    (SUNDAY, "On the 15th of December we ship.", "On the 15th of December (2026-12-15) we ship."),
    (SUNDAY, "due 3 Jan", "due 3 Jan (2027-01-03)"),
    (SUNDAY, "the deadline is march 3", "the deadline is march 3 (2027-03-03)"),
    (SUNDAY, "between Dec 15 and Dec 20", "between Dec 15 (2026-12-15) and Dec 20 (2026-12-20)"),
    (SUNDAY, "by Nov. 15", "by Nov. 15 (2026-11-15)"),
    (SUNDAY, "Thursday, November 19", "Thursday, November 19 (2026-11-19)"),
    (SUNDAY, "We shipped on Nov 3", "We shipped on Nov 3 (2026-11-03)"),
    (SUNDAY, "Since Dec 3 the build is red", "Since Dec 3 (2025-12-03) the build is red"),
    (SUNDAY, "was moved from Nov 3 to Dec 1", "was moved from Nov 3 (2026-11-03) to Dec 1 (2026-12-01)"),
    (SUNDAY, "frozen until March", "frozen until March (2027-03)"),
    (SUNDAY, "by November", "by November (2026-11)"),
    (SUNDAY, "The vendor contract ends in June", "The vendor contract ends in June (2027-06)"),
    # German
    (SUNDAY, "Wir liefern heute.", "Wir liefern heute (2026-11-15)."),
    (SUNDAY, "Wir liefern morgen.", "Wir liefern morgen (2026-11-16)."),
    (SUNDAY, "Morgen liefern wir.", "Morgen (2026-11-16) liefern wir."),
    (SUNDAY, "Das war gestern.", "Das war gestern (2026-11-14)."),
    (SUNDAY, "bis übermorgen", "bis übermorgen (2026-11-17)"),
    (SUNDAY, "bis Freitag", "bis Freitag (2026-11-20)"),
    (MONDAY, "nächsten Freitag", "nächsten Freitag (2026-11-27)"),
    (MONDAY, "letzten Freitag", "letzten Freitag (2026-11-13)"),
    (SUNDAY, "in zwei Tagen", "in zwei Tagen (2026-11-17)"),
    (SUNDAY, "vor drei Wochen", "vor drei Wochen (2026-10-25)"),
    (MONDAY, "Wir liefern nächste Woche.", "Wir liefern nächste Woche (Woche vom 2026-11-23)."),
    (SUNDAY, "nächsten Monat", "nächsten Monat (2026-12)"),
    (SUNDAY, "bis Ende des Monats", "bis Ende des Monats (2026-11-30)"),
    # French
    (SUNDAY, "Nous livrons demain.", "Nous livrons demain (2026-11-16)."),
    (SUNDAY, "avant vendredi", "avant vendredi (2026-11-20)"),
    (MONDAY, "vendredi prochain", "vendredi prochain (2026-11-27)"),
    (MONDAY, "la semaine prochaine", "la semaine prochaine (semaine du 2026-11-23)"),
    (SUNDAY, "dans 3 jours", "dans 3 jours (2026-11-18)"),
    (SUNDAY, "il y a deux semaines", "il y a deux semaines (2026-11-01)"),
    (SUNDAY, "hier nous avons livré", "hier (2026-11-14) nous avons livré"),
    (SUNDAY, "le mois prochain", "le mois prochain (2026-12)"),
    # Spanish
    (SUNDAY, "Lo entregamos mañana.", "Lo entregamos mañana (2026-11-16)."),
    (SUNDAY, "mañana por la mañana", "mañana (2026-11-16) por la mañana"),
    (SUNDAY, "antes del viernes", "antes del viernes (2026-11-20)"),
    (MONDAY, "la próxima semana", "la próxima semana (semana del 2026-11-23)"),
    (SUNDAY, "en tres días", "en tres días (2026-11-18)"),
    (SUNDAY, "hace dos semanas", "hace dos semanas (2026-11-01)"),
    (SUNDAY, "el próximo mes", "el próximo mes (2026-12)"),
    (SUNDAY, "pasado mañana", "pasado mañana (2026-11-17)"),
    # Chinese
    (SUNDAY, "明天上线", "明天 (2026-11-16)上线"),
    (MONDAY, "下周发布", "下周 (2026-11-23当周)发布"),
    (SUNDAY, "三天后", "三天后 (2026-11-18)"),
    (SUNDAY, "10天前", "10天前 (2026-11-05)"),
    (MONDAY, "下周五", "下周五 (2026-11-27)"),
    (MONDAY, "上周五", "上周五 (2026-11-13)"),
    (SUNDAY, "下个月", "下个月 (2026-12)"),
    (SUNDAY, "明年", "明年 (2027)"),
    (NEW_YEARS_EVE, "明天", "明天 (2027-01-01)"),
]  # fmt: skip

NO_DATES = [
    "Every Thursday there is a standup.",
    "No deploys on Fridays.",
    "Friday deploys are forbidden.",
    "Never deploy on a Friday.",
    "The first Monday of the month is patch day.",
    "on the last Friday of the month",
    "the last week of November",
    "Black Friday is busy.",
    "Refresh every 3 days.",
    "twice in 3 days",
    "By today's standards it is slow.",
    "At the end of the day it does not matter.",
    "You may merge it.",
    "Wait a second.",
    "The next step is the last one.",
    "next to the door, last but not least",
    "the day before the release",
    "5 years of experience",
    "year over year growth per month, once a week",
    "Monday.com is our tracker.",
    "See next-week-plan.md and today.md.",
    "Run `tomorrow` and ``next week``.",
    "```\nship tomorrow\n```",
    "~~~ text\nnext week\n~~~",
    "https://example.org/next/tomorrow?on=friday",
    "[plan](tomorrow.md)",
    "Thursday (2026-11-19)",
    "2026-11-19 (Thursday)",
    "Thursday, 19 November 2026",
    "Release on Dec 15, 2026, or 16 Dec 2026",
    "Dec 15 (2026-12-15)",
    "In May 2026 it moved.",
    "Nov 4-8 and 4-8 November",
    "Nov 4 to 8",
    "Nov 4, 5 and 6",
    "You may 5x it, and step 3 may fail.",
    "We march 3 miles.",
    "go 1.22 Jan build, section Dec 3.2",
    "Peak season is in December.",
    "Every year by March.",
    "My birthday is May 5.",
    "Taxes are due April 15 every year.",
    "Friday the 13th",
    "On Thursday, 19.11. we ship",
    "He sat in the Sun.",
    "Guten Morgen",
    "Jeden Freitag ist Demo, freitags auch.",
    "Die Datei ist hier und nicht dort.",
    "Le vendredi on ne déploie pas.",
    "chaque vendredi",
    "Los viernes no se despliega.",
    "cada viernes por la mañana",
    "每周五开会",
    "一周五次",
    "2026年11月20日\N{FULLWIDTH LEFT PARENTHESIS}周五\N{FULLWIDTH RIGHT PARENTHESIS}",
    "",
]

UNCLEAR = [
    ("We met on Thursday.", "Thursday"),
    ("On Thursday we decided to drop it.", "Thursday"),
    ("Monday to Friday", "Monday"),
    ("over the next two weeks", "the next two weeks"),
    ("in the last week", "last week"),
    ("in a few days", "in a few days"),
    ("in a day or two", "in a day or two"),
    ("It was built in 3 days.", "in 3 days"),
    ("The May 5 incident showed it.", "May 5"),
    ("The certificate expires Oct 30.", "Oct 30"),
    ("Feb 30 is the deadline.", "Feb 30"),
    ("Reviewed by April.", "April"),
    ("In 2024 we launched on Dec 15.", "Dec 15"),
]


def test_the_day_is_added_behind_the_words() -> None:
    wrong = [
        (f"{day:%a} {day}", text, written, found)
        for on, said, written in WRITTEN
        for day, text in ((on, said), (on + timedelta(days=40), written))
        if (found := on_row(with_absolute_dates, text, day)) != written
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_what_names_no_day_is_not_found() -> None:
    wrong = [
        (text, days, found)
        for text in NO_DATES
        for days, found in [(on_row(relative_dates, text, SUNDAY), on_row(with_absolute_dates, text, SUNDAY))]
        if (days, found) != ([], text)
    ]
    assert not wrong, "\n".join(map(repr, wrong))


# One sentence a row in eleven languages: where English means one day, the others do too.
ONE_THURSDAY = [
    [
        "The release is on Thursday.",
        "Das Release ist am Donnerstag.",
        "La sortie est jeudi.",
        "El lanzamiento es el jueves.",
        "O lançamento é na quinta-feira.",
        "Il rilascio è giovedì.",
        "De release is op donderdag.",
        "Релиз в четверг.",
        "周四发布。",
        "リリースは木曜日です。",
        "릴리스는 목요일입니다.",
    ],
    [
        "The freeze starts on Thursday.",
        "Der Freeze beginnt am Donnerstag.",
        "Le gel commence jeudi.",
        "La congelación empieza el jueves.",
        "O congelamento começa na quinta-feira.",
        "Il freeze inizia giovedì.",
        "De freeze begint op donderdag.",
        "Фриз начинается в четверг.",
        "冻结周四开始。",
        "フリーズは木曜日に開始します。",
        "프리즈는 목요일에 시작합니다.",
    ],
    [
        "We ship on Thursday.",
        "Wir liefern am Donnerstag.",
        "Nous livrons jeudi.",
        "Entregamos el jueves.",
        "Entregamos na quinta-feira.",
        "Consegniamo giovedì.",
        "We leveren op donderdag.",
        "Мы выкатываем в четверг.",
        "我们周四上线。",
        "木曜日に出荷します。",
        "목요일에 출시합니다.",
    ],
    [
        "On Thursday we ship.",
        "Am Donnerstag liefern wir.",
        "Jeudi nous livrons.",
        "El jueves entregamos.",
        "Na quinta-feira entregamos.",
        "Giovedì consegniamo.",
        "Op donderdag leveren we.",
        "В четверг выкатываем.",
        "周四我们上线。",
        "木曜日にリリースする。",
        "목요일에 출시한다.",
    ],
    [
        "The customer demo is on Thursday.",
        "Die Kundendemo ist am Donnerstag.",
        "La démo client est jeudi.",
        "La demo del cliente es el jueves.",
        "A demo do cliente é na quinta-feira.",
        "La demo per il cliente è giovedì.",
        "De klantdemo is op donderdag.",
        "Демо для клиента в четверг.",
        "客户演示在周四。",
        "顧客デモは木曜日です。",
        "고객 데모는 목요일입니다.",
    ],
    [
        "Lena is back on Thursday.",
        "Lena ist am Donnerstag zurück.",
        "Lena revient jeudi.",
        "Lena vuelve el jueves.",
        "A Lena volta na quinta-feira.",
        "Lena torna giovedì.",
        "Lena is donderdag terug.",
        "Лена вернётся в четверг.",
        "莉娜周四回来。",
        "レナは木曜日に戻ります。",
        "레나는 목요일에 돌아옵니다.",
    ],
    [
        "The meeting with Acme is on Thursday.",
        "Das Treffen mit Acme ist am Donnerstag.",
        "La réunion avec Acme est jeudi.",
        "La reunión con Acme es el jueves.",
        "A reunião com a Acme é na quinta-feira.",
        "La riunione con Acme è giovedì.",
        "De vergadering met Acme is op donderdag.",
        "Встреча с Acme в четверг.",
        "和 Acme 的会议在周四。",
        "Acmeとの会議は木曜日です。",
        "Acme와의 회의는 목요일입니다.",
    ],
    [
        "We will migrate the database on Thursday.",
        "Wir migrieren die Datenbank am Donnerstag.",
        "Nous migrons la base jeudi.",
        "Migramos la base de datos el jueves.",
        "Vamos migrar o banco na quinta-feira.",
        "Migreremo il database giovedì.",
        "We migreren de database op donderdag.",
        "В четверг мигрируем базу.",
        "周四迁移数据库。",
        "木曜日にデータベースを移行します。",
        "목요일에 데이터베이스를 이전합니다.",
    ],
    [
        "by Thursday",
        "bis Donnerstag",
        "d'ici jeudi",
        "antes del jueves",
        "até quinta-feira",
        "entro giovedì",
        "uiterlijk donderdag",
        "до четверга",
        "周四之前",
        "木曜日まで",
        "목요일까지",
    ],
    [
        "The token expires on Thursday.",
        "Das Token läuft am Donnerstag ab.",
        "Le jeton expire jeudi.",
        "El token caduca el jueves.",
        "O token expira na quinta-feira.",
        "Il token scade giovedì.",
        "Het token verloopt op donderdag.",
        "Токен истекает в четверг.",
        "令牌周四到期。",
        "トークンは木曜日に失効します。",
        "토큰은 목요일에 만료됩니다.",
    ],
    [
        "Mira joins on Thursday.",
        "Mira kommt am Donnerstag ins Team.",
        "Mira arrive jeudi.",
        "Mira llega el jueves.",
        "A Mira chega na quinta-feira.",
        "Mira arriva giovedì.",
        "Mira komt donderdag erbij.",
        "Мира приходит в четверг.",
        "米拉周四入职。",
        "ミラは木曜日に入社します。",
        "미라는 목요일에 입사합니다.",
    ],
    [
        "The demo was moved to Thursday.",
        "Die Demo wurde auf Donnerstag verschoben.",
        "La démo est reportée à jeudi.",
        "La demo se movió al jueves.",
        "A demo foi adiada para quinta-feira.",
        "La demo è rinviata a giovedì.",
        "De demo is verplaatst naar donderdag.",
        "Демо перенесли на четверг.",
        "演示改到周四。",
        "デモは木曜日に変更になりました。",
        "데모는 목요일로 연기되었습니다.",
    ],
    [
        "Ana presents the plan on Thursday.",
        "Ana stellt den Plan am Donnerstag vor.",
        "Ana présente le plan jeudi.",
        "Ana presenta el plan el jueves.",
        "A Ana apresenta o plano na quinta-feira.",
        "Ana presenta il piano giovedì.",
        "Ana presenteert het plan op donderdag.",
        "Анна представит план в четверг.",
        "安娜周四展示方案。",
        "アナは木曜日に計画を発表します。",
        "아나는 목요일에 계획을 발표합니다.",
    ],
]

# The same for what may be a habit, is one, or is over: no date is added.
NO_CERTAIN_THURSDAY = [
    [
        "on Thursday",
        "am Donnerstag",
        "jeudi",
        "el jueves",
        "na quinta-feira",
        "giovedì",
        "op donderdag",
        "в четверг",
        "周四",
        "木曜日に",
        "목요일에",
    ],
    [
        "We deploy on Thursday.",
        "Wir deployen am Donnerstag.",
        "Nous déployons jeudi.",
        "Desplegamos el jueves.",
        "Fazemos deploy na quinta-feira.",
        "Rilasciamo giovedì.",
        "We deployen op donderdag.",
        "Деплоим в четверг.",
        "我们周四部署。",
        "木曜日にデプロイします。",
        "목요일에 배포합니다.",
    ],
    [
        "We do not deploy on Thursday.",
        "Wir deployen am Donnerstag nicht.",
        "Nous ne déployons pas jeudi.",
        "No desplegamos el jueves.",
        "Não fazemos deploy na quinta-feira.",
        "Non rilasciamo giovedì.",
        "We deployen niet op donderdag.",
        "В четверг не деплоим.",
        "周四不部署。",
        "木曜日にはデプロイしない。",
        "목요일에는 배포하지 않습니다.",
    ],
    [
        "We met on Thursday.",
        "Wir haben uns am Donnerstag getroffen.",
        "Nous nous sommes vus jeudi.",
        "Nos reunimos el jueves.",
        "Nos reunimos na quinta-feira.",
        "Ci siamo visti giovedì.",
        "We hebben elkaar op donderdag gezien.",
        "Мы встретились в четверг.",
        "我们周四见面了。",
        "木曜日に会いました。",
        "목요일에 만났습니다.",
    ],
    [
        "We always ship on Thursday.",
        "Wir liefern immer am Donnerstag.",
        "Nous livrons toujours le jeudi.",
        "Siempre entregamos el jueves.",
        "Sempre entregamos na quinta-feira.",
        "Consegniamo sempre il giovedì.",
        "We leveren altijd op donderdag.",
        "Мы всегда выкатываем в четверг.",
        "我们总是周四上线。",
        "いつも木曜日に出荷します。",
        "항상 목요일에 출시합니다.",
    ],
    [
        "Standup is on Thursday.",
        "Das Standup ist am Donnerstag.",
        "Le standup est le jeudi.",
        "El standup es el jueves.",
        "O standup é na quinta-feira.",
        "Lo standup è il giovedì.",
        "De stand-up is op donderdag.",
        "Стендап в четверг.",
        "周四例会。",
        "定例会議は木曜日です。",
        "정기 회의는 목요일입니다.",
    ],
]


@pytest.mark.parametrize("row", ONE_THURSDAY, ids=lambda row: row[0])
def test_a_weekday_is_one_day_in_every_language_where_it_is_in_english(row: list[str]) -> None:
    assert [said for said in row if "(2026-11-19)" not in on_row(with_absolute_dates, said, SUNDAY)] == []


@pytest.mark.parametrize("row", NO_CERTAIN_THURSDAY, ids=lambda row: row[0])
def test_a_weekday_in_doubt_is_left_alone_in_every_language(row: list[str]) -> None:
    assert [said for said in row if on_row(with_absolute_dates, said, SUNDAY) != said] == []


HABITS = [
    # lists of days
    "Standup is Monday, Wednesday and Friday",
    "Always deploy on Monday, Tuesday and Wednesday",
    "Tuesday's and Thursday's I'm off",
    "- no meetings on Wednesday or Friday",
    "Am Montag und Donnerstag ist Sprechstunde",
    "Lundi et jeudi je suis en télétravail",
    "El martes y el jueves no hay nadie",
    "周二和周四我不在",
    # rules and routines
    "No deploys on Friday",
    "We never deploy on Friday, because support is away.",
    "never on Fridays",
    "Every release goes out on Tuesday",
    "Every change is merged by Friday.",
    "every other Monday",
    "On Friday we never deploy",
    "We only deploy on Tuesday",
    "We usually deploy on Wednesday",
    "Standup is Monday at 9",
    "Retro is on Thursday",
    "The weekly sync is on Tuesday",
    "backups run on Sunday",
    "The newsletter goes out on Tuesday",
    "Our week starts on Monday",
    "Release day is Thursday",
    "Friday is our release day",
    "Our sprint starts on Monday",
    "Sprints start on Monday",
    "The maintenance window is Sunday 2am",
    "On-call handover is on Wednesday",
    "Freitags",
    "freitags deployen wir nicht",
    "Nur am Freitag deployen wir nicht",
    "Wir deployen nie am Freitag",
    "Jeden Montag ist Demo",
    "Das Release ist immer am Dienstag",
    "le vendredi",
    "Le vendredi on ne déploie pas",
    "chaque lundi, une démo",
    "On ne déploie jamais le vendredi",
    "los viernes",
    "Solo desplegamos el viernes",
    "Nunca desplegamos el viernes",
    "Siempre hay demo el lunes",
    "toda sexta-feira tem demo",
    "nunca fazemos deploy na sexta-feira",
    "ogni venerdì facciamo la demo",
    "Il venerdì non si rilascia",
    "elke vrijdag is er een demo",
    "nooit op vrijdag deployen",
    "по пятницам",
    "каждую пятницу демо",
    "Релиз всегда в пятницу",
    "数据库迁移只能在周日凌晨做",
    "每周五发布",
    "毎週金曜",
    "リリースは毎週金曜日です",
    "デプロイは月曜日だけです",
    "매주 금요일에 배포합니다",
    "금요일마다 데모가 있습니다",
    # names of things
    "Casual Friday",
    "Black Friday",
    "Cyber Monday is our busiest day",
    "Patch Tuesday brings updates",
    "the Tuesday meeting",
    "our Friday demo",
    "The Thursday meeting is cancelled.",
    "Friday deploys are forbidden",
    "Viernes Santo",
    "La réunion du mardi est dans la grande salle",
    "La riunione del giovedì si fa da remoto",
    "La reunión del martes la lleva soporte",
    "A reunião de terça-feira fica na sala 4",
    "A entrega do sábado é curta",
    "Das Dienstagsmeeting ist in Raum 3",
    "De vrijdagborrel is in de kantine",
    # ruled out
    "not Thursday",
    "If a release slips past Thursday it waits for the next train, always",
    # mentioned, not used
    "The label 'today' is hard to read",
    'The button says "tomorrow" but sorts by age',
    "The filter called \u201clast week\u201d returns nothing",
    "Die Spalte \u201emorgen\u201c fehlt im Export",
    "La colonne « hier » est vide",
    "El botón «hoy» está roto",
    "按钮\u201c明天\u201d的翻译不对",
    "ボタン「明日」が動かない",
    "The column 'due by Friday' is empty",
]

DOUBTFUL = [
    "Do not deploy on Friday",
    "we don't ship on Friday",
    "Avoid deploying on Friday",
    "Nobody deploys on Friday",
    "There is no deploy on Friday.",
    "Deploys are not allowed on Friday",
    "The support team doesn't work on Friday",
    "On Friday we don't deploy",
    "We deploy on Tuesday",
    "The sync is on Tuesday at 10:00",
    "I work from home on Friday",
    "Invoices are due on Friday",
    "Tokens expire in 30 days",
    "The office closes on Friday at 3pm",
    "Close stale issues at the end of the month",
    "Friday in two weeks",
    "within two weeks",
    "Invoices go out on the 15th",
    "We bill customers at the end of the month",
    "Am Freitag deployen wir nicht",
    "Wir arbeiten am Samstag",
    "El viernes no desplegamos",
    "周五开会",
    "月底结账",
    "В пятницу не деплоим",
    "金曜日はデプロイしない",
    # vague
    "The office opens in three weeks or so",
    "The launch is around Thursday",
    "The demo is on Thursday or thereabouts",
    "The vendor answers roughly in two weeks",
    "We migrated about two weeks ago",
    "Das Gutachten kommt ungefähr in zwei Wochen",
    "La livraison arrive environ dans deux semaines",
    "El informe llega más o menos en dos semanas",
    "Релиз примерно через две недели",
    "大概下周五上线",
    "リリースは金曜日ごろです",
    "출시는 금요일쯤입니다",
    # the case of a rule
    "If a release slips past Thursday it waits for the next train",
    "When a ticket is open until Friday, support calls",
    "Wenn ein Build bis Freitag rot ist, wird er verworfen",
    "Si un ticket reste ouvert jusqu'à vendredi, on le ferme",
    "Si una tarea no está lista para el viernes, se aplaza",
    "Если сборка красная до пятницы, откатываем",
    "The rollout dragged on past Wednesday",
    # how long nothing was done
    "Branches not touched in two weeks are deleted",
    "Questions with no answer within two weeks get closed",
    "PRs without review in five days are escalated",
    "No deploys in the last two weeks",
    "Las ramas sin cambios en dos semanas se borran",
    "Hace dos semanas que no responde",
]

ONE_DAY = [
    ("The demo is on Friday, not Thursday", "The demo is on Friday (2026-11-20), not Thursday"),
    ("Do not deploy on Friday, the demo is then", "Do not deploy on Friday (2026-11-20), the demo is then"),
    ("The client visits us on Monday", "The client visits us on Monday (2026-11-16)"),
    ("demo on fri", "demo on fri (2026-11-20)"),
    ("demo tmrw", "demo tmrw (2026-11-16)"),
    ("demo by the 5th", "demo by the 5th (2026-12-05)"),
    ("demo on the first of December", "demo on the first of December (2026-12-01)"),
    ("demo at the end of January", "demo at the end of January (2027-01-31)"),
    ("demo by end of Q1", "demo by end of Q1 (2027-03-31)"),
    ("only hotfixes until Thursday", "only hotfixes until Thursday (2026-11-19)"),
    ("bis Freitag fertig", "bis Freitag (2026-11-20) fertig"),
    ("Die Abgabe ist am Freitag", "Die Abgabe ist am Freitag (2026-11-20)"),
    ("Die Demo wurde auf Freitag verschoben", "Die Demo wurde auf Freitag (2026-11-20) verschoben"),
    ("Umzug am 4. Dezember", "Umzug am 4. Dezember (2026-12-04)"),
    ("La démo est vendredi", "La démo est vendredi (2026-11-20)"),
    ("La migración es el viernes", "La migración es el viernes (2026-11-20)"),
    ("entrega el 4 de diciembre", "entrega el 4 de diciembre (2026-12-04)"),
    ("A entrega é na sexta-feira", "A entrega é na sexta-feira (2026-11-20)"),
    ("terminar até amanhã", "terminar até amanhã (2026-11-16)"),
    ("consegna entro venerdì", "consegna entro venerdì (2026-11-20)"),
    ("la demo è domani", "la demo è domani (2026-11-16)"),
    ("klaar voor de demo, uiterlijk vrijdag", "klaar voor de demo, uiterlijk vrijdag (2026-11-20)"),
    ("over twee weken", "over twee weken (2026-11-29)"),
    ("Релиз завтра", "Релиз завтра (2026-11-16)"),
    ("сдать до пятницы", "сдать до пятницы (2026-11-20)"),
    ("через неделю", "через неделю (2026-11-22)"),
    ("周五之前完成", "周五 (2026-11-20)之前完成"),
    ("周五发布新版本", "周五 (2026-11-20)发布新版本"),
    ("发布在12月4日", "发布在12月4日 (2026-12-04)"),
    ("来週の月曜にリリース", "来週の月曜 (2026-11-16)にリリース"),
    ("金曜日までに出す", "金曜日 (2026-11-20)までに出す"),
    ("明日公開します", "明日 (2026-11-16)公開します"),
    ("다음 주 월요일에 출시", "다음 주 월요일 (2026-11-16)에 출시"),
    ("금요일까지 마감", "금요일 (2026-11-20)까지 마감"),
    ("The lead's last day is on Tuesday", "The lead's last day is on Tuesday (2026-11-17)"),
    ("Her first day is Wednesday", "Her first day is Wednesday (2026-11-18)"),
    ("The designer starts on Monday", "The designer starts on Monday (2026-11-16)"),
    ("The lead is leaving on Friday", "The lead is leaving on Friday (2026-11-20)"),
    ("The shop goes live on Thursday", "The shop goes live on Thursday (2026-11-19)"),
    ("She is back on Monday", "She is back on Monday (2026-11-16)"),
    ("The exam is on Thursday", "The exam is on Thursday (2026-11-19)"),
    ("We're switching providers on Monday", "We're switching providers on Monday (2026-11-16)"),
    ("Der letzte Tag ist am Dienstag", "Der letzte Tag ist am Dienstag (2026-11-17)"),
    ("Die Fahrprüfung ist am Mittwoch", "Die Fahrprüfung ist am Mittwoch (2026-11-18)"),
    ("Le dernier jour est vendredi", "Le dernier jour est vendredi (2026-11-20)"),
    ("El último día es el viernes", "El último día es el viernes (2026-11-20)"),
    ("L'ultimo giorno è giovedì", "L'ultimo giorno è giovedì (2026-11-19)"),
    ("Последний день в пятницу", "Последний день в пятницу (2026-11-20)"),
    ("新同事周三入职", "新同事周三 (2026-11-18)入职"),
    ("The release slips past Thursday", "The release slips past Thursday (2026-11-19)"),
    ("This past Thursday we met", "This past Thursday (2026-11-12) we met"),
    ("If the vendor does not sign by Friday", "If the vendor does not sign by Friday (2026-11-20)"),
    ("No rush, we deliver in two weeks", "No rush, we deliver in two weeks (2026-11-29)"),
    ("We hand it in in two weeks", "We hand it in in two weeks (2026-11-29)"),
    ("The users' demo is on Thursday", "The users' demo is on Thursday (2026-11-19)"),
    ("Consegna prima di venerdì", "Consegna prima di venerdì (2026-11-20)"),
    ("A partir del lunes usamos la nueva", "A partir del lunes (2026-11-16) usamos la nueva"),
]  # fmt: skip


def test_a_habit_a_name_and_a_list_of_days_are_left_alone_in_every_language() -> None:
    wrong = [(text, found) for text in HABITS if (found := on_row(relative_dates, text, SUNDAY))]
    assert not wrong, "\n".join(map(repr, wrong))


def test_what_may_be_one_day_or_every_week_is_shown_without_a_day() -> None:
    wrong = [
        (text, found)
        for text in DOUBTFUL
        if not (found := on_row(relative_dates, text, SUNDAY)) or any(item.day for item in found)
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_one_day_gets_its_date_in_every_language() -> None:
    wrong = [
        (text, dated, found)
        for text, dated in ONE_DAY
        if (found := on_row(with_absolute_dates, text, SUNDAY)) != dated
        or on_row(with_absolute_dates, found, SUNDAY) != dated
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_a_month_that_has_just_passed_is_not_taken_for_next_years() -> None:
    for on, words in ((date(2026, 9, 3), "until august"), (date(2026, 11, 15), "by the end of October")):
        (found,) = relative_dates(f"The freeze holds {words}", on)
        assert found.day is None, words
    assert with_absolute_dates("frozen until august", date(2026, 3, 3)) == "frozen until august (2026-08)"


@given(
    st.lists(st.sampled_from([*HABITS, *DOUBTFUL, *(text for text, _ in ONE_DAY)]), max_size=4), st.dates()
)
def test_no_word_of_a_person_is_ever_changed(texts: list[str], on: date) -> None:
    text = "\n".join(texts)
    assert re.sub(r" \([^()\n]*\d{4}[^()\n]*\)", "", with_absolute_dates(text, on)) == text


@pytest.mark.parametrize(("text", "words"), UNCLEAR)
def test_what_can_mean_several_days_is_shown_without_one_and_left_as_it_is(text: str, words: str) -> None:
    found = relative_dates(text, SUNDAY)
    assert found[0].words == words
    assert {item.day for item in found} == {None}
    assert with_absolute_dates(text, SUNDAY) == text


def test_a_find_says_where_it_stands_and_what_it_means() -> None:
    (found,) = relative_dates("Freeze by Thursday.", SUNDAY)
    assert "Freeze by Thursday."[slice(*found.span)] == found.words == "Thursday"
    assert found.day == date(2026, 11, 19)
    assert found.absolute == "2026-11-19"


def test_a_period_has_its_first_day() -> None:
    assert [item.day for item in relative_dates("next week, next month, next quarter", MONDAY)] == [
        date(2026, 11, 23),
        date(2026, 12, 1),
        date(2027, 1, 1),
    ]


def test_several_dates_come_in_the_order_of_the_text() -> None:
    text = "Tomorrow we branch, by Thursday we freeze, next week we ship.\n\nThen we rest in 3 weeks."
    found = relative_dates(text, SUNDAY)
    assert [item.words for item in found] == ["Tomorrow", "Thursday", "next week", "in 3 weeks"]
    assert all(text[slice(*item.span)] == item.words for item in found)


def test_the_first_years_are_written_with_four_digits() -> None:
    said = "next month, next quarter, next year, demo by end of Q1"
    dated = with_absolute_dates(said, date(1, 1, 1))
    assert dated == (
        "next month (0001-02), next quarter (Q2 0001), next year (0002), demo by end of Q1 (0001-03-31)"
    )
    assert with_absolute_dates(dated, date(1, 1, 1)) == dated


def test_a_day_beyond_the_calendar_is_unclear() -> None:
    assert [item.day for item in relative_dates("in 999 years", date(9500, 1, 1))] == [None]
    assert [item.day for item in relative_dates("tomorrow", date.max)] == [None]
    assert [item.day for item in relative_dates("yesterday", date.min)] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "due 2026-11-19.",
        "2026/11/19",
        "19 Nov 2026",
        "19th of November 2026",
        "November 19, 2026",
        "Nov. 19 2026",
        "19.11.2026",
        "19. November 2026",
        "19 novembre 2026",
        "19 de noviembre de 2026",
        "2026年11月19日",
        "2026-11-19T10:30:00Z",
        "release-2026-11-19.md",
    ],
)
def test_a_date_in_full_is_found_in_its_common_forms(text: str) -> None:
    (found,) = absolute_dates(text)
    assert found.day == date(2026, 11, 19)
    assert str(2026) in text[slice(*found.span)]


@pytest.mark.parametrize(
    "text", ["2026-13-01", "2027-02-29", "31.04.2026", "1.2.3", "10.0.0.12", "may 2026", "192.168.11.2026"]
)
def test_what_is_no_date_in_full_is_not_found(text: str) -> None:
    assert absolute_dates(text) == []


@pytest.mark.parametrize("day", [LEAP_DAY, NEW_YEARS_EVE, date(1999, 1, 2)])
def test_every_iso_date_is_read_back(day: date) -> None:
    assert [found.day for found in absolute_dates(f"by {day.isoformat()}, or {day:%d.%m.%Y}")] == [day, day]


DAYS = st.dates(date(1990, 1, 1), date(2100, 1, 1))
PIECES = st.one_of(
    st.sampled_from([said for _, said, _ in WRITTEN] + NO_DATES + [text for text, _ in UNCLEAR]),
    st.sampled_from(
        [" ", ", ", ". ", "\n", " the ", " by ", " every ", "'s ", "`", "(", "2026-11-19", " was ", "3 "]
    ),
    st.text(max_size=8),
)


@given(st.lists(PIECES, max_size=8).map("".join), DAYS)
def test_writing_dates_twice_is_the_same_as_once(text: str, on: date) -> None:
    once = with_absolute_dates(text, on)
    assert with_absolute_dates(once, on) == once
    assert not [item for item in relative_dates(once, on) if item.day]


@given(st.lists(PIECES, max_size=8).map("".join), DAYS)
def test_every_find_lies_inside_the_text_and_none_overlap(text: str, on: date) -> None:
    end = 0
    for item in relative_dates(text, on):
        assert end <= item.span[0] < item.span[1] <= len(text)
        assert text[slice(*item.span)] == item.words
        end = item.span[1]


@given(DAYS, st.sampled_from(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]))
def test_a_bare_weekday_is_the_next_one_strictly_after(on: date, weekday: str) -> None:
    (found,) = relative_dates(f"by {weekday}", on)
    assert found.day is not None
    assert 1 <= (found.day - on).days <= 7
    assert f"{found.day:%A}" == weekday


@given(DAYS, st.integers(1, 999))
def test_so_many_days_on_and_ago_are_counted(on: date, days: int) -> None:
    assert relative_dates(f"in {days} days", on)[0].day == on + timedelta(days=days)
    assert relative_dates(f"{days} days ago", on)[0].day == on - timedelta(days=days)


@pytest.mark.parametrize(
    "unit",
    [
        "Thursday ",
        "`",
        "](",
        "```\n",
        "in 3 ",
        "the next ",
        "://a",
        "周五",
        "19 nov ",
        "a ",
        "nov 19 ",
        "by may ",
    ],
)
def test_the_work_of_a_search_grows_with_the_text_alone(unit: str) -> None:
    assert grows_with_the_text(lambda text: relative_dates(text, SUNDAY), unit, 40_000)
    assert grows_with_the_text(absolute_dates, unit, 40_000)


@pytest.mark.parametrize("text", ["WE SHIP TOMORROW.", "\u0130stanbul: WE SHIP TOMORROW."])
def test_capitals_count_also_beside_letters_whose_lower_case_is_longer(text: str) -> None:
    assert with_absolute_dates(text, SUNDAY) == text.replace("TOMORROW", "TOMORROW (2026-11-16)")
