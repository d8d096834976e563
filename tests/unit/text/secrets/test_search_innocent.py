"""Text that only talks about credentials, or looks a little like one, is left alone."""

from tests.tables import on_row

from memdir.text.secrets.search import find_secrets, mask_secrets

INNOCENT = r"""
The token is stored in the vault; ask the platform team for access.
The password is rotated every 90 days by the operations team.
The API key lives in 1Password under "Staging / Mapbox".
Never commit secrets; the pre-commit hook looks for them.
password=<your-password>
password: changeme
password = "********"
password: xxxxxxxx
PASSWORD=$DB_PASSWORD
PASSWORD="${DB_PASSWORD:-}"
DB_PASSWORD: ${{ secrets.DB_PASSWORD }}
api_key = os.environ["MAPBOX_API_KEY"]
api_key=os.getenv("OPENAI_API_KEY")
const token = process.env.GITHUB_TOKEN;
token: ${{ secrets.GITHUB_TOKEN }}
export TOKEN=$(vault kv get -field=token kv/ci)
TOKEN=...
token: REDACTED
api_key: YOUR_API_KEY_HERE
apikey = "your-api-key-1234"
secret = "example-secret-value-123"
SECRET_KEY = env("SECRET_KEY")
password = getpass.getpass()
password = settings.DATABASES["default"]["PASSWORD"]
password: str
password: Optional[str] = None
password = None
def login(user: str, password: str) -> Token:
self.token = token
token = self._read_token()
token = await fetchToken(clientId)
if password == user.password:
password: required|string|min:8
"password": "string",
"token": {"type": "string"},
<input type="password" name="password">
<password></password>
The password hash is argon2id, with 64 MiB and 3 iterations.
passwords: argon2id
password hashing: bcrypt-12
The token is base64url-encoded and signed with RS256.
Tokens are JWT, 15 minutes, refreshed by the gateway.
The access token is OAuth2-based.
The secret is SHA256-hashed before it is stored.
the key is 256-bit
a password is 12-characters or longer
password policy: 16 characters, no reuse
max_tokens=4096
max_tokens: 200000
tokens: 61,440 a conversation
token_count = 12345678901234567890
token_limit: 13000
token bucket: 100/min
next_page_token: CAUQAAxyz0123456789abcdef
"nextToken": "AAMA-EFRSURBSGhzaWduZWQ1234567890ab",
csrf token is checked in middleware.py
The session token lives in Redis for 30 days.
secret_name: prod/db/credentials
secretName: billing-db-credentials-v2
secretKeyRef: {name: billing, key: password}
private_key: /etc/ssl/private/gateway-2024.pem
private_key = ~/.ssh/id_ed25519
ssh_key_path: ../keys/deploy_key_2.pem
key: value
key = "user:1234:profile"
cache key: session-3f2a9c1e-77aa
primary key: account_id
The partition key is tenant_id#created_at.
public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI in the wiki
idempotency key: 7f9c24e8-3b12-4fef-91e0-5b6c8f1f9b61
token: 7f9c24e8-3b12-4fef-91e0-5b6c8f1f9b61
request id 7f9c24e8-3b12-4fef-91e0-5b6c8f1f9b61 failed twice
Session 0b1e6a52-9d0c-4c57-8f7b-a9d1c2e3f405 was resumed.
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
Fixed in 3f2a9c1; see also 9fceb02d0ae598e95dc970b74767f19372d61af8.
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
md5 d41d8cd98f00b204e9800998ecf8427e of the empty file
integrity: "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"
    --hash=sha256:7f0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7
checksum = "c1b04fb49957986fdce4d6ee7a65027d55d4b6d2265e5848bbb507b58ccfdb6f"
golang.org/x/crypto v0.17.0 h1:r8bRNjWL3GshPW3gkd+RpvzWrZAwPS49OmTGZ/uhM4k=
image: ghcr.io/acme/api@sha256:9b2a3f4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
aGVsbG8gd29ybGQ= is base64 of a greeting
password: cGFzc3dvcmQ=
data: {"greeting": "aGVsbG8="}
See https://example.org/docs/tokens?lang=en#rotation for the rotation.
https://github.com/acme/api/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
https://user@git.internal/team/repo.git
git clone ssh://git@git.internal:2222/team/repo.git
postgres://localhost:5432/crm
postgres://postgres:postgres@localhost:5432/test
mysql://root:password@127.0.0.1/app
postgresql://user:pass@host/db
amqp://guest:guest@rabbit:5672/
redis://:${REDIS_PASSWORD}@cache:6379/0
https://user:<token>@github.com/acme/api
mongodb://$USER:$PASS@mongo/app
smtp://user:***@mail.internal:587
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${ACCESS_TOKEN}
Authorization: Bearer YOUR_ACCESS_TOKEN_HERE
Authorization: Basic <base64 of user:password>
authorization: bearer tokens expire after 15 minutes
Use bearer authentication everywhere.
basic authentication is switched off
Basic knowledge of Kubernetes is assumed.
curl -u "$USER:$PASS" https://ci.internal/
docker run -u 1000:1000 app
curl -H "Authorization: token $GITHUB_TOKEN" https://api.github.com/user
Server=db1;Database=crm;Password=;Integrated Security=true
Server=db1;User Id=sa;Password={password};Encrypt=true
machine learning login is handled by the gateway; the password is not stored
"auth": "none"
auth: oauth2-proxy-v7.5.1
author: docs team
authority: https://login.microsoftonline.com/common
credentials: same-origin
credential helper: osxkeychain
credentials are in ~/.aws/credentials
AWS_PROFILE=staging-admin
arn:aws:iam::123456789012:role/deploy-2024
arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf
vault kv get -field=password kv/staging/db
password: op://Private/db/password
password: vault:secret/data/app#password1
password: !vault |
password: !Ref DbPassword2
password: *db_password2
{{ .Values.auth.password1 }}
token: "{{ token_2024 }}"
api_key=%API_KEY_2%
-----BEGIN PUBLIC KEY-----
The header reads -----BEGIN PRIVATE KEY----- and the footer the same with END.
-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
Stripe test keys start with sk_test_ and live keys with sk_live_.
sk_test_XXXXXXXXXXXXXXXXXXXXXXXX
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GitHub tokens look like ghp_… or github_pat_….
xoxb-your-token-here-goes-in-slack
sk-proj-your-openai-key-goes-here-and-is-long-enough
AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
hf_transformer_layers_are_frozen
npm_config_registry=https://registry.internal/
npm_lifecycle_event is set by npm itself
dop_v1_ is the prefix of DigitalOcean tokens
glpat-your-gitlab-personal-access-token
re_compile_is_called_once_per_process
path/to/some/very/long/directory/name/with/many/parts/file.py
src/memdir/text/secrets/search.py:120 reads the table
The MTU is 1500; NTP runs on port 123; ODBC is not used.
patterns are matched in order; patience is required
SKU 12345678 is sold out; SKILLS.md lists them
The dapi endpoint is /dapi/v1
eyJ is how base64 of {" starts, so a JWT starts with eyJ
SG.com is not ours; dp.pt is a domain
class TokenBucketRateLimiterConfigurationV2:
getAccessTokenFromSessionStorageOrRefresh()
AbstractSingletonProxyFactoryBeanSecretResolver
ACCESS_TOKEN_EXPIRE_MINUTES = 30
SECRET_KEY_ROTATION_DAYS=90
PASSWORD_RESET_TIMEOUT = 259200
password_min_length: 12
"passwordResetUrl": "https://app.internal/reset?step=2",
token_url=https://login.internal/oauth2/v2.0/token
secret santa is on 2026-12-18 in room 4B-12
Key results: latency 120ms -> 85ms, errors 0.4% -> 0.1%
key takeaway: use bun, not npm
keyboard: layout de-latin1
The pass rate was 98.7%, up from 97.1%.
tests pass: 1482 of 1482
pass: 14, fail: 0, skipped: 2
Compass heading: N45E-12
Deploys pass through staging-eu-west-1 first.
2026-11-15T10:30:00Z INFO auth: user 4711 logged in from 10.0.0.12
uuid4().hex gives 32 characters
color: #3f2a9c; width: 100%
Phone +49 30 1234567, room 12.03, building C4
v1.0-beta-3 was tagged on 2026-11-15
Version 1.2.3+build.20261115.3f2a9c1
The user prefers tabs, Python 3.11, and pytest-xdist 3.6.
Das Passwort steht im Tresor, nicht im Wiki.
Le mot de passe est dans le coffre.
La contraseña está en el gestor.
密码保存在保险库里。
the password for the demo account is in the wiki, page 42b
Password: see the vault entry "db2-staging-eu"
| token | string | the access token |
| password | required | at least 12 chars |
- **Token:** issued by the gateway, 15min
**Secret:** none needed since v2.3
LS_COLORS=rs=0:di=01;34:ln=01;36:mh=00:pi=40;33
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
PATH=/usr/local/bin:/usr/bin:/bin:$HOME/.local/bin
mkdir -p build/out && grep -pattern file.txt && ssh -p2222 git@git.internal
mysql -u root -p crm
mysql -h db1 -P3306 -u app -p$MYSQL_PASSWORD crm
mysql -u root -ppassword crm
mysql and then grep -pattern7.txt
mysqldump --port=3307 --single-transaction crm
docker pull ghcr.io/acme/api@sha256:9b2a3f4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
git@git.internal:team/repo.git and deploy@10.0.0.1 are hosts
https://deploy@10.0.0.1/app and ssh://root@10.0.0.1:22
rsync app/ root@10.0.0.1:/srv/app
label user:maria@example.com and admin:ops
root:x:0:0:root:/root:/bin/bash
the token 9fceb02d0ae598e95dc970b74767f19372d61af8 names a commit
token 7f9c24e8-3b12-4fef-91e0-5b6c8f1f9b61 is a request id
The token AccessTokenExpiredHandlerForGatewayV2 is a class
secret management_service_account_rotation_v2_job runs at night
PASSWORD=stored-in-the-vault
DB_PASSWORD=see-ops-wiki
password=required-min-length
password = getUserByIdOrNull
password = "MyPasswordFieldName"
otpauth://totp/Example?secret=<seed>
Bearer authentication.credentials.provider
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJ4x0q0m1d3Y8z7kq5b2v9w3n6c4t8r1y5u7i9o0p2a deploy@ci
""".strip().splitlines()


def test_an_innocent_line_has_no_finding() -> None:
    wrong = [(line, found) for line in INNOCENT if (found := on_row(find_secrets, line))]
    assert not wrong, "\n".join(map(repr, wrong))


def test_all_innocent_lines_together_have_no_finding() -> None:
    text = "\n\n".join(INNOCENT)
    assert find_secrets(text) == []
    assert mask_secrets(text) == text


def test_there_are_enough_of_them() -> None:
    assert len(INNOCENT) >= 150
