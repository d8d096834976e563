"""Credentials are found by name and place, innocent text is left alone, and no secret survives masking.

Every credential here is made at run time from a prefix and random characters, so that this file holds none.
"""

import random
import string
from base64 import b64encode
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.text.secrets.search import (
    INSIDE,
    NAMED,
    PREFIXED,
    SecretFinding,
    find_secrets,
    mask_secrets,
    secret_names,
)

HEX = "0123456789abcdef"
ALNUM = string.ascii_letters + string.digits
WIDE = ALNUM + "_-"
UPPER = string.ascii_uppercase + "234567"
BASE64 = ALNUM + "+/"

SEED = 20261115
_dice = random.Random()


def chars(alphabet: str, count: int) -> str:
    """Return random characters with at least one digit and one letter, ends alphanumeric."""
    while True:
        body = "".join(_dice.choices(alphabet, k=count))
        if body[0].isalnum() and body[-1].isalnum() and any(c.isdigit() for c in body):
            return body


def h(count: int) -> str:
    return chars(HEX, count)


def a(count: int) -> str:
    return chars(ALNUM, count)


def w(count: int) -> str:
    return chars(WIDE, count)


def u(count: int) -> str:
    return chars(UPPER, count)


def uuid() -> str:
    return "-".join([h(8), h(4), h(4), h(4), h(12)])


def pem(label: str) -> str:
    body = "\n".join(chars(BASE64, 64) for _ in range(4))
    return "-----" + f"BEGIN {label}-----\n{body}\n-----" + f"END {label}-----"


def jwt(header: str = '{"alg":"HS256","typ":"JWT"}') -> str:
    claims = f'{{"sub":"{h(10)}"}}'
    return ".".join([b64(header), b64(claims), w(43)])


def b64(text: str) -> str:
    return b64encode(text.encode()).decode().rstrip("=")


FAMILIES: dict[str, list[Callable[[], str]]] = {
    "age-secret-key": [lambda: "AGE-SECRET-KEY-1" + u(58), lambda: "AGE-SECRET-KEY-PQ-1" + u(80)],
    "airtable-token": [lambda: "pat" + a(14) + "." + h(64), lambda: "pat" + h(14) + "." + h(64)],
    "alibaba-access-key": [lambda: "LTAI" + a(20), lambda: "LTAI5t" + a(18)],
    "anthropic-key": [
        lambda: "sk-ant-" + "api03-" + w(93) + "AA",
        lambda: "sk-ant-" + "admin01-" + w(93) + "AA",
    ],
    "artifactory-key": [lambda: "AKCp" + a(69), lambda: "AKCp8" + a(68)],
    "asana-token": [
        lambda: "1/12034567890123" + "4:" + h(32),
        lambda: "2/1203456789012345/1203456789012346" + ":" + h(32),
    ],
    "atlassian-token": [
        lambda: "ATATT3" + "xFfGF0" + w(180),
        lambda: "ATBB" + a(32),
        lambda: "ATCTT3" + w(180),
    ],
    "aws-access-key": [lambda: "AKIA" + u(16), lambda: "ASIA" + u(16)],
    "aws-bedrock-key": [lambda: "ABSK" + chars(BASE64, 110), lambda: "bedrock-api-key-" + chars(BASE64, 110)],
    "aws-secret-key": [
        lambda: "aws_secret_access_key = " + chars(BASE64, 40),
        lambda: '"SecretAccessKey": "' + chars(BASE64, 40) + '"',
        lambda: "AWS_SECRET_KEY=" + chars(BASE64, 40),
    ],
    "aws-session-token": [
        lambda: "aws_session_token=" + chars(BASE64, 300),
        lambda: '"SessionToken": "' + chars(BASE64, 300) + '"',
    ],
    "azure-client-secret": [lambda: "abc8Q~" + w(34), lambda: a(3) + "7Q~" + w(33)],
    "azure-devops-token": [
        lambda: a(76) + "AZDO" + a(4),
        lambda: "AZURE_DEVOPS_TOKEN=" + chars("abcdefghijklmnop234567", 52),
    ],
    "azure-sas": [
        lambda: "https://acct.blob.core.windows.net/c?sv=2022-11-02&sig=" + a(43) + "%3D",
        lambda: "?se=2030-01-01&sp=r&sig=" + a(20) + "%2B" + a(20) + "%3D",
    ],
    "azure-storage-key": [
        lambda: "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=" + chars(BASE64, 86) + "==;",
        lambda: "SharedAccessKeyName=Root;SharedAccessKey=" + chars(BASE64, 43) + "=",
    ],
    "basic-auth": [
        lambda: "Authorization: Basic " + b64("deploy:" + a(14)),
        lambda: '{"auths": {"registry": {"auth": "' + b64("robot:" + a(20)) + '"}}}',
    ],
    "bearer-token": [
        lambda: "Authorization: Bearer " + w(40),
        lambda: "curl -H 'authorization: bearer " + a(32) + "'",
        lambda: "Send Authorization: Bearer " + a(38) + ".",
    ],
    "brevo-key": [lambda: "xkeysib-" + h(64) + "-" + a(16), lambda: "xsmtpsib-" + h(64) + "-" + a(16)],
    "buildkite-token": [lambda: "bkua_" + h(40), lambda: "`bkua_" + h(40) + "`"],
    "circleci-token": [lambda: "CCIPAT_" + a(22) + "_" + h(40), lambda: "CCIPRJ_" + a(22) + "_" + h(40)],
    "clojars-token": [lambda: "CLOJARS_" + h(60), lambda: "(CLOJARS_" + h(60) + ")"],
    "cloudflare-token": [
        lambda: "cfut_" + a(48),
        lambda: "v1.0-" + h(24) + "-" + h(146),
        lambda: "CLOUDFLARE_API_TOKEN=" + a(40),
    ],
    "command-line-login": [
        lambda: "curl -u deploy:" + a(12) + " https://ci.internal/",
        lambda: "curl --user 'admin:" + a(16) + "' https://ci.internal/",
        lambda: "curl -u deploy:" + a(12) + ".",
        lambda: "mysql -u root -p" + a(12) + " crm",
        lambda: "mysql -u root -p" + "correct" + "horse",
        lambda: "mysqldump -h db1 -uapp -p'" + a(12) + "'",
        lambda: "sshpass -p " + a(10) + " ssh deploy@ci",
    ],
    "connection-string-password": [
        lambda: "Server=db1;Database=crm;User Id=sa;Password=" + a(14) + ";Encrypt=true",
        lambda: "Driver={SQL Server};Server=db1;UID=app;PWD=" + a(10) + ";",
    ],
    "contentful-token": [lambda: "CFPAT-" + w(43), lambda: '"CFPAT-' + w(43) + '"'],
    "crates-token": [lambda: "cio" + a(32), lambda: "token=cio" + a(32)],
    "databricks-token": [lambda: "dapi" + h(32), lambda: "dapi" + h(32) + "-2"],
    "datadog-key": [lambda: "DATADOG_API_KEY=" + h(32), lambda: "dd_app_key: " + h(40)],
    "deepseek-key": [lambda: "sk-" + h(32), lambda: "key sk-" + h(32) + ","],
    "digitalocean-token": [lambda: "dop_v1_" + h(64), lambda: "doo_v1_" + h(64), lambda: "dor_v1_" + h(64)],
    "discord-bot-token": [
        lambda: "MT" + a(22) + "." + w(6) + "." + w(38),
        lambda: "OD" + a(24) + "." + w(6) + "." + w(27),
    ],
    "discord-webhook": [
        lambda: "https://discord.com/api/webhooks/" + chars(string.digits, 18) + "/" + w(68),
        lambda: "https://discordapp.com/api/webhooks/" + chars(string.digits, 19) + "/" + w(68),
    ],
    "django-secret-key": [
        lambda: "django-insecure-" + a(50),
        lambda: "SECRET_KEY = 'django-insecure-" + a(30) + "#&^" + a(17) + "'",
    ],
    "docker-hub-token": [lambda: "dckr_pat_" + w(27), lambda: "dckr_oat_" + w(32)],
    "doppler-token": [lambda: "dp.pt." + a(43), lambda: "dp.st.prd." + a(43), lambda: "dp.ct." + a(43)],
    "dropbox-token": [lambda: "sl." + w(140), lambda: "sl.u." + w(140)],
    "dynatrace-token": [lambda: "dt0c01." + u(24) + "." + u(64), lambda: "dt0s16." + u(24) + "." + u(64)],
    "easypost-key": [lambda: "EZAK" + a(54), lambda: "EZTK" + a(54)],
    "facebook-token": [lambda: "EAAC" + a(120), lambda: "EAAG" + a(180)],
    "fastly-token": [lambda: "FASTLY_API_TOKEN=" + w(32), lambda: 'fastly_key: "' + w(32) + '"'],
    "figma-token": [lambda: "figd_" + w(40), lambda: "figo_" + w(40)],
    "flutterwave-key": [lambda: "FLWSECK-" + h(32) + "-X", lambda: "FLWSECK_TEST-" + h(32) + "-X"],
    "fly-token": [lambda: "fo1_" + w(43), lambda: "fm2_" + chars(BASE64, 80)],
    "github-fine-grained-token": [
        lambda: "github_pat_" + a(22) + "_" + a(59),
        lambda: "https://github_pat_" + a(22) + "_" + a(59) + "@github.com",
    ],
    "github-token": [
        lambda: "ghp_" + a(36),
        lambda: "gho_" + a(36),
        lambda: "ghs_" + a(36),
        lambda: "ghr_" + a(76),
        lambda: "ghp_" + (string.digits + string.ascii_lowercase),
    ],
    "gitlab-token": [
        lambda: "glpat-" + w(20),
        lambda: "gldt-" + w(20),
        lambda: "GR1348941" + w(20),
        lambda: "glrt-" + w(20),
    ],
    "google-api-key": [lambda: "AIza" + w(35), lambda: "key=AIzaSy" + w(33)],
    "google-oauth-secret": [lambda: "GOCSPX-" + w(28), lambda: '"client_secret":"GOCSPX-' + w(28) + '"'],
    "google-oauth-token": [lambda: "ya29." + w(120), lambda: "1//0" + w(60)],
    "google-service-account": [
        lambda: (
            '{"type": "service_account", "private_key": "' + pem("PRIVATE KEY").replace("\n", "\\n") + '\\n"}'
        ),
        lambda: '"private_key":"' + pem("RSA PRIVATE KEY").replace("\n", "\\n") + '"',
    ],
    "grafana-token": [lambda: "glsa_" + a(32) + "_" + h(8), lambda: "glc_" + chars(BASE64, 80) + "="],
    "groq-key": [lambda: "gsk_" + a(52), lambda: "GROQ=gsk_" + a(52)],
    "heroku-key": [
        lambda: "HRKU-AA" + w(58),
        lambda: "HEROKU_API_KEY=" + uuid(),
        lambda: "heroku auth token: " + uuid(),
    ],
    "hetzner-token": [lambda: "HCLOUD_TOKEN=" + a(64), lambda: "hetzner api token: " + a(64)],
    "hugging-face-token": [lambda: "hf_" + a(34), lambda: "api_org_" + a(34)],
    "json-web-token": [jwt, lambda: "token: " + jwt('{"typ":"JWT","alg":"RS256","kid":"1"}')],
    "langsmith-key": [lambda: "lsv2_pt_" + h(32) + "_" + h(10), lambda: "lsv2_sk_" + h(32) + "_" + h(10)],
    "login-at-host": [
        lambda: "ssh root:" + a(10) + "@10.0.0.1",
        lambda: "deploy:" + a(10) + "@build.internal:2222",
    ],
    "linear-key": [lambda: "lin_api_" + a(40), lambda: "lin_oauth_" + h(64)],
    "mailchimp-key": [lambda: h(32) + "-us12", lambda: "key " + h(32) + "-us6."],
    "mailgun-key": [lambda: "key-" + h(32), lambda: "pubkey-" + h(32)],
    "mapbox-token": [lambda: "sk.eyJ" + w(80) + "." + w(22), lambda: "'sk.eyJ" + w(60) + "." + w(22) + "'"],
    "mongodb-atlas-secret": [lambda: "mdb_sa_sk_" + w(40), lambda: "=mdb_sa_sk_" + w(40)],
    "neon-key": [
        lambda: "napi_" + h(64),
        lambda: "napi_" + chars(string.ascii_lowercase + string.digits, 64),
    ],
    "netlify-token": [lambda: "nfp_" + a(36), lambda: "nfc_" + a(40)],
    "netrc-password": [
        lambda: "machine git.internal login deploy password " + a(12),
        lambda: "machine git.internal\n  login deploy\n  password " + a(20),
    ],
    "new-relic-key": [lambda: "NRAK-" + u(27), lambda: h(36) + "NRAL", lambda: "NRII-" + w(32)],
    "notion-token": [lambda: "secret_" + a(43), lambda: "ntn_" + a(46)],
    "memdir-hub-token": [lambda: "memdir_" + a(43), lambda: "Authorization: Bearer memdir_" + a(43)],
    "npm-token": [lambda: "npm_" + a(36), lambda: "//registry.npmjs.org/:_authToken=npm_" + a(36)],
    "nuget-key": [lambda: "oy2" + chars(string.ascii_lowercase + string.digits, 43), lambda: "oy2" + h(43)],
    "okta-token": [lambda: "OKTA_API_TOKEN=00" + w(40), lambda: "okta token is 00" + w(40)],
    "one-time-password-seed": [
        lambda: "otpauth://totp/x?secret=" + u(16) + "&issuer=y",
        lambda: "otpauth://hotp/acme:ops?issuer=acme&secret=" + u(32),
    ],
    "one-password-key": [
        lambda: "ops_eyJ" + w(300),
        lambda: "A3-" + "-".join([u(6), u(6), u(5), u(5), u(5), u(5)]),
    ],
    "openai-key": [
        lambda: "sk-" + "proj-" + w(74) + "T3Blbk" + "FJ" + w(74),
        lambda: "sk-" + a(20) + "T3Blbk" + "FJ" + a(20),
        lambda: "sk-" + "svcacct-" + w(120),
    ],
    "openrouter-key": [lambda: "sk-or-" + "v1-" + h(64), lambda: "OPENROUTER=sk-or-" + "v1-" + h(64)],
    "algolia-key": [lambda: "ALGOLIA_ADMIN_KEY=" + h(32), lambda: 'algolia_api_key: "' + h(32) + '"'],
    "paypal-token": [
        lambda: "access_token$production$" + h(16) + "$" + h(32),
        lambda: "access_token$sandbox$" + h(16) + "$" + h(32),
    ],
    "perplexity-key": [lambda: "pplx-" + a(48), lambda: "PPLX=pplx-" + a(48)],
    "plaid-token": [lambda: "access-sandbox-" + uuid(), lambda: "access-production-" + uuid()],
    "planetscale-token": [lambda: "pscale_tkn_" + w(43), lambda: "pscale_pw_" + w(43)],
    "posthog-key": [lambda: "phx_" + a(43), lambda: "phx_" + a(47)],
    "postman-key": [lambda: "PMAK-" + h(24) + "-" + h(34), lambda: "'PMAK-" + h(24) + "-" + h(34) + "'"],
    "prefect-key": [lambda: "pnu_" + a(36), lambda: "pnb_" + a(36)],
    "private-key": [
        lambda: pem("RSA PRIVATE KEY"),
        lambda: pem("OPENSSH PRIVATE KEY"),
        lambda: pem("EC PRIVATE KEY"),
        lambda: pem("ENCRYPTED PRIVATE KEY"),
        lambda: pem("PGP PRIVATE KEY BLOCK"),
        lambda: pem("PRIVATE KEY").partition("-----END")[0],
        lambda: pem("DSA PRIVATE KEY").replace(
            "KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n", 1
        ),
    ],
    "pulumi-token": [lambda: "pul-" + h(40), lambda: "PULUMI=pul-" + h(40)],
    "putty-private-key": [
        lambda: (
            "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n"
            + chars(BASE64, 64)
            + "\n"
            + chars(BASE64, 30)
        ),
        lambda: "PuTTY-User-Key-File-3: ssh-ed25519\nComment: laptop\nPrivate-Lines: 1\n" + chars(BASE64, 48),
    ],
    "pypi-token": [lambda: "pypi-AgEIcHlwaS5vcmc" + w(80), lambda: "pypi-AgENdGVzdC5weXBpLm9yZw" + w(80)],
    "render-key": [lambda: "rnd_" + a(32), lambda: "rnd_" + a(28)],
    "replicate-token": [lambda: "r8_" + a(37), lambda: "'r8_" + a(37) + "'"],
    "resend-key": [lambda: "re_" + a(8) + "_" + a(24), lambda: "RESEND=re_" + a(8) + "_" + a(24)],
    "rubygems-key": [lambda: "rubygems_" + h(48), lambda: ":rubygems_api_key: rubygems_" + h(48)],
    "scaleway-key": [lambda: "SCW_SECRET_KEY=" + uuid(), lambda: "scaleway secret key: " + uuid()],
    "sendgrid-key": [
        lambda: "SG." + w(22) + "." + w(43),
        lambda: "SENDGRID='SG." + w(22) + "." + w(43) + "'",
    ],
    "sentry-token": [lambda: "sntryu_" + h(64), lambda: "sntrys_" + chars(BASE64, 120)],
    "shippo-token": [lambda: "shippo_live_" + h(40), lambda: "shippo_test_" + h(40)],
    "shopify-token": [lambda: "shpat_" + h(32), lambda: "shpss_" + h(32)],
    "slack-token": [
        lambda: "xox" + "b-" + chars(string.digits, 12) + "-" + chars(string.digits, 13) + "-" + a(24),
        lambda: "xox" + "p-" + a(40),
        lambda: "xapp-1-" + u(11) + "-" + chars(string.digits, 13) + "-" + h(64),
    ],
    "slack-webhook": [
        lambda: "https://hooks.slack.com/" + "services/T" + u(8) + "/B" + u(8) + "/" + a(24),
        lambda: "https://hooks.slack.com/" + "workflows/T" + u(8) + "/A" + u(8) + "/" + a(24),
    ],
    "snyk-token": [lambda: "SNYK_TOKEN=" + uuid(), lambda: "snyk auth key: " + uuid()],
    "sonar-token": [lambda: "squ_" + h(40), lambda: "sqp_" + h(40)],
    "sourcegraph-token": [lambda: "sgp_" + h(40), lambda: "sgp_" + h(16) + "_" + h(40)],
    "square-token": [lambda: "sq0atp-" + w(22), lambda: "sq0csp-" + w(43), lambda: "EAAA" + w(60)],
    "stripe-key": [
        lambda: "sk_" + "live_" + a(24),
        lambda: "sk_" + "test_" + a(99),
        lambda: "rk_" + "live_" + a(24),
    ],
    "supabase-key": [lambda: "sbp_" + h(40), lambda: "sb_secret_" + w(31)],
    "tailscale-key": [
        lambda: "tskey-auth-" + a(12) + "CNTRL-" + a(32),
        lambda: "tskey-api-" + a(12) + "-" + a(32),
    ],
    "telegram-bot-token": [
        lambda: "110201543:AA" + w(33),
        lambda: "bot6839201745:AA".replace("bot", "") + w(33),
    ],
    "terraform-cloud-token": [
        lambda: a(14) + ".atlasv1." + w(67),
        lambda: 'token = "' + a(14) + ".atlasv1." + w(67) + '"',
    ],
    "twilio-key": [lambda: "SK" + h(32), lambda: "TWILIO_AUTH_TOKEN=" + h(32)],
    "typeform-token": [lambda: "tfp_" + w(44), lambda: "tfp_" + a(59)],
    "url-password": [
        lambda: "postgres://app:" + a(12) + "@db.internal:5432/crm",
        lambda: "redis://:" + a(16) + "@cache:6379/0",
        lambda: "https://ci-bot:" + a(20) + "@git.internal/x.git",
        lambda: "mongodb+srv://root:" + "Pa%24" + a(8) + "@cluster0.mongodb.net/?w=majority",
    ],
    "vault-token": [lambda: "hvs." + w(90), lambda: "hvb." + w(138), lambda: "VAULT_TOKEN=s." + a(24)],
    "vercel-token": [
        lambda: "VERCEL_TOKEN=" + a(24),
        lambda: "vcp_" + a(56),
        lambda: "vercel_blob_rw_" + a(16) + "_" + a(30),
    ],
    "webhook-signing-secret": [lambda: "whsec_" + a(32), lambda: "whsec_" + chars(BASE64, 43) + "="],
    "xai-key": [lambda: "xai-" + a(80), lambda: "XAI=xai-" + a(80)],
    "assigned-password": [
        lambda: "password=" + a(9) + "1x",
        lambda: 'password: "' + a(10) + '!7"',
        lambda: "DB_PASS=" + a(12),
        lambda: "export PGPASSWORD='" + a(12) + "'",
        lambda: "the password is hunter2-" + a(6),
        lambda: "The password for the staging server is `" + a(10) + "4`.",
        lambda: "**Password:** " + a(12),
        lambda: "| password | " + a(12) + " |",
        lambda: "Das Passwort lautet " + a(12),
        lambda: "mot de passe: " + a(12),
        lambda: "la contraseña es " + a(12),
        lambda: "密码是" + a(12),
        lambda: "<password>" + a(12) + "</password>",
        lambda: "mysqldump --password " + a(12) + " crm",
        lambda: 'password: str = "' + a(12) + '"',
        lambda: '{\\"password\\": \\"' + a(12) + '\\"}',
        lambda: 'if password == "' + a(12) + '":',
        lambda: "passphrase => '" + a(12) + "'",
        lambda: 'password = "' + "ortBQTD" + 'YnSZrPR!"',
        lambda: "DB_PASSWORD=correct-" + "horse-battery",
    ],
    "assigned-secret": [
        lambda: 'api_key: "' + a(32) + '"',
        lambda: "SECRET_KEY = '" + a(50) + "'",
        lambda: "export TOKEN=" + a(24),
        lambda: "client_secret=" + w(32),
        lambda: "my access token is " + a(32) + ".",
        lambda: "JWT_SECRET=" + h(64),
        lambda: "apiKey: '" + h(32) + "',",
        lambda: "X-Api-Key: " + a(32),
        lambda: 'os.environ.setdefault("APP_TOKEN", "' + a(32) + '")',
        lambda: "https://api.internal/v1?access_token=" + a(32) + "&page=2",
        lambda: "webhook secret: " + uuid(),
        lambda: "PrivateKey = " + chars(BASE64, 43) + "=",
        lambda: "--token " + a(32),
        lambda: "APP_KEY=base64:" + chars(BASE64, 43) + "=",
        lambda: "token: " + a(400),
        lambda: "the cloudflare token " + a(40) + ".",
        lambda: "use token `" + a(36) + "` for it",
    ],
}


@pytest.fixture(autouse=True)
def same_dice_for_every_test() -> None:
    _dice.seed(SEED)


def shapes() -> Iterator[tuple[str, int, Callable[[], str]]]:
    """Yield each rule, the place of a shape in it and the shape, with the same dice for every shape."""
    for rule, made in FAMILIES.items():
        for at, make in enumerate(made):
            _dice.seed(SEED)
            yield rule, at, make


def test_a_credential_is_found_under_its_own_name() -> None:
    wrong = [
        (rule, at, text, found)
        for rule, at, make in shapes()
        for text in (make(), f"Use this:\n\n{make()}\n\nfor the deployment.")
        if (found := [finding.rule for finding in on_row(find_secrets, text)]) != [rule]
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_a_masked_text_holds_no_secret_and_names_the_rule() -> None:
    wrong = []
    for rule, at, make in shapes():
        text = f"before {make()} after"
        secrets = [text[slice(*finding.span)] for finding in find_secrets(text)]
        hidden = mask_secrets(text)
        if (
            find_secrets(hidden)
            or f"[secret: {rule}]" not in hidden
            or not hidden.startswith("before ")
            or not hidden.endswith(" after")
            or any(secret in hidden for secret in secrets)
        ):
            wrong.append((rule, at, text, hidden))
    assert not wrong, "\n".join(map(repr, wrong))


def test_every_rule_of_the_tables_is_tried() -> None:
    names = {rule.name for rule in (*PREFIXED, *INSIDE, *NAMED)}
    assert names <= FAMILIES.keys()
    assert len(FAMILIES) >= 45
    assert all(len(made) >= 2 for made in FAMILIES.values())


def test_a_finding_never_holds_the_value() -> None:
    secret = "ghp_" + a(36)
    (finding,) = find_secrets(f"token {secret}")
    assert finding == SecretFinding("github-token", (6, 6 + len(secret)))
    assert secret not in repr(finding)
    assert a(36) not in str(finding)


def test_one_place_is_one_finding_and_the_specific_rule_wins() -> None:
    token = "ghp_" + a(36)
    for text in (
        f"api_key={token}",
        f'password: "{token}"',
        f"Authorization: Bearer {token}",
        f"export TOKEN={token}",
    ):
        assert [finding.rule for finding in find_secrets(text)] == ["github-token"]
    assert [finding.rule for finding in find_secrets(f"https://x-access-token:{token}@github.com/a/b")] == [
        "github-token"
    ]
    assert [finding.rule for finding in find_secrets(f"Authorization: Bearer {jwt()}")] == ["json-web-token"]
    assert [finding.rule for finding in find_secrets(f"DATABASE_PASSWORD=postgres://app:{a(12)}@db/x")] == [
        "url-password"
    ]


def test_the_names_of_what_texts_hold_come_sorted_and_each_once() -> None:
    token = f"AKIA{u(16)}"
    assert secret_names(f"glpat-{w(20)} {token}", "plain", token) == "aws-access-key, gitlab-token"
    assert secret_names("plain", "") == ""


def test_several_credentials_come_in_the_order_of_the_text() -> None:
    text = f"password={a(10)}9 then AKIA{u(16)} and glpat-{w(20)}, then password={a(10)}9"
    rules = [finding.rule for finding in find_secrets(text)]
    assert rules == ["assigned-password", "aws-access-key", "gitlab-token", "assigned-password"]


@pytest.mark.parametrize("invisible", ["\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad"])
def test_invisible_characters_do_not_hide_a_credential(invisible: str) -> None:
    token = "ghp_" + a(36)
    split = token[:10] + invisible + token[10:20] + invisible * 3 + token[20:]
    text = f"see {split} there{invisible}"
    (finding,) = find_secrets(text)
    assert text[slice(*finding.span)] == split
    assert mask_secrets(text) == f"see [secret: github-token] there{invisible}"


@pytest.mark.parametrize(
    "around",
    [
        "`{}`",
        "**{}**",
        "'{}'",
        '"{}"',
        "<{}>",
        "({})",
        "[{}]",
        "«{}»",
        "-{}",
        "\n{}\n",
        "\\n{}\\n",
        "={}",
        "{}。",
        "中{}文",
    ],
)
def test_quotes_and_markdown_around_a_credential_do_not_hide_it(around: str) -> None:
    token = "glpat-" + a(20)
    text = around.format(token)
    (finding,) = find_secrets(text)
    assert text[slice(*finding.span)].startswith(token)


def test_an_underscore_escaped_for_markdown_does_not_hide_a_credential() -> None:
    assert mask_secrets("ghp\\_" + a(36) + " is ours") == "[secret: github-token] is ours"


def test_the_rest_of_an_address_stays_readable() -> None:
    assert (
        mask_secrets("postgres://app:" + a(12) + "@db/crm") == "postgres://app:[secret: url-password]@db/crm"
    )


def test_a_very_long_assigned_value_is_masked_to_its_end() -> None:
    assert mask_secrets(f"token={a(5000)} end") == "token=[secret: assigned-secret] end"


def test_a_query_parameter_ends_at_the_next_one() -> None:
    assert mask_secrets(f"?access_token={a(30)}&page=2") == "?access_token=[secret: assigned-secret]&page=2"


def test_letters_whose_lower_case_is_longer_do_not_shift_the_place() -> None:
    text = "İİİ password=" + (password := a(12))
    (finding,) = find_secrets(text)
    assert text[slice(*finding.span)] == password


def test_masking_an_innocent_text_changes_nothing() -> None:
    text = "The token is in the vault.\n\n**Why:** policy 7.\n"
    assert mask_secrets(text) is text


PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from([clue for rule in (*PREFIXED, *INSIDE, *NAMED) for clue in rule.clues]),
    st.sampled_from(["password", "token", "api_key", "=", ": ", " is ", '"', "`", "\n", "://u:"]),
    st.sampled_from(["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"]),
    st.text(ALNUM + "+/=_-.", min_size=16, max_size=90),
    st.sampled_from(["[secret: ", "]", "\u200b", "\\_", "İ", "&x=", "{", "\\"]),
)  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_searched_without_an_error_and_masked_for_good(text: str) -> None:
    found = find_secrets(text)
    ends = 0
    for finding in found:
        start, end = finding.span
        assert ends <= start < end <= len(text)
        ends = end
    hidden = mask_secrets(text)
    assert find_secrets(hidden) == []
    assert mask_secrets(hidden) == hidden


@pytest.mark.parametrize(
    "unit",
    [
        "password=", "pwd=a1", "token: ", "password for ", "secret_", "api_key='", "auth=a1", "pass `",
        "-eyJ", "eyJaaaaaaaaaaaa.", "://a:b", "12345678:AA", "machine a login b password ", "basic aaaa",
        "-----" + "BEGIN PRIVATE KEY-----\naaaa", "PuTTY-User-Key-File-2:a\n", "vercel token ", "sig=%2F",
        "ghp_", "glpat-", "xoxb-", "aB3", "\u200b", "a\u200b", "[secret: ", " -u a:b", "sk-", "MT", "1/",
        "a.atlasv1.", "mysql a ", "mysql -u a -p ", "root:a1b2@", "token aB3", "otpauth://?secret",
    ],
)  # fmt: skip
def test_the_work_of_a_search_grows_with_the_text_alone(unit: str) -> None:
    assert grows_with_the_text(find_secrets, unit, 100_000)


@pytest.mark.parametrize(
    "value",
    [
        "napi_" + "ixeonh0rb845ane7dehjbhb37gpu5ipikzwa929vvjzubk07pho0r9ozc5" + "xxxx" + "h2",
        "PrivateKey = " + "MY+yjHud8Zu4GaD06ie33fuq1LxhK2wp6u3EW0XE9L5" + "=",
    ],
)
def test_letters_of_a_credential_that_spell_a_stand_in_by_chance_do_not_hide_it(value: str) -> None:
    assert find_secrets(value)


@pytest.mark.parametrize("value", ["napi_" + "x" * 64, "api_key: 'xxxx-1a2b3c4d5e6f7a8b9c0d'"])
def test_a_row_of_one_letter_stands_in_for_a_credential(value: str) -> None:
    assert not find_secrets(value)
