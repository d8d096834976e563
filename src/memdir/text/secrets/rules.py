"""The credential formats we know, one line each: a name, the letters that give it away, its shape."""

import re
from collections.abc import Callable

from memdir.text.secrets.values import (
    hides_a_login,
    is_live,
    is_mixed_token,
    is_password,
    is_token,
    is_url_password,
)
from memdir.text.value import value_class

__all__ = ["INSIDE", "NAMED", "PREFIXED", "Secret"]


@value_class(frozen=True, slots=True)
class Secret:
    """One credential format; the shape's first group, if it has one, is the secret itself."""

    name: str
    clues: tuple[str, ...]
    """Plain text without one of these cannot hold such a credential."""
    shape: str
    """A regular expression whose middle parts are bounded, so that no text makes it slow."""
    is_real: Callable[[str], bool] = is_live


def _firm_password(value: str) -> bool:
    return is_password(value, firm=True)


def _holds_a_key(block: str) -> bool:
    run = re.search(r"[A-Za-z0-9+/]{24}", block)
    return run is not None and is_live(run[0])


def _assigned(vendor: str, *clues: str, value: str) -> Secret:
    """Return the rule for a vendor whose tokens have no prefix, so its name must stand before them."""
    return Secret(
        vendor,
        clues,
        rf"(?i:[\w .-]{{0,40}}?(?:key|token|secret|pass|auth)[\w .-]{{0,16}}?){_SET_TO}({value})(?![\w/+=-])",
    )


_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SET_TO = r"[\"'`*\])]{0,4}\s{0,3}(?:=>|:=|[=:]|is\s)\s{0,3}[\"'`*(]{0,4}"
_PEM = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z0-9 ]{0,40}-----"
    r"|(?:(?:\s|\\[nr])*+[\w+/=]{16,}+)++)"  # cut off before its end
)

# One format a line reads as a table.
# fmt: off
PREFIXED = (
    Secret("age-secret-key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{58,}"),
    Secret("aws-access-key", ("AKIA", "ASIA", "ABIA", "ACCA"),
         r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    Secret("aws-bedrock-key", ("ABSK", "bedrock-api-key-"), r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{60,}"),
    Secret("alibaba-access-key", ("LTAI",), r"LTAI[A-Za-z0-9]{16,20}(?![A-Za-z0-9])"),
    Secret("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,}"),
    Secret("github-fine-grained-token", ("github_pat_",), r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{50,}"),
    Secret("gitlab-token",
         ("glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-", "glagent-"),
         r"gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent)-[\w-]{20,}(?:\.[\w.-]{6,})?"),
    Secret("gitlab-token", ("gloas-", "GR1348941"), r"(?:gloas-|GR1348941)[\w-]{20,}"),
    Secret("slack-token", ("xox", "xapp-"), r"(?:xox[abeoprs](?:\.xox[bp])?|xapp-\d)-[\w-]{16,}"),
    Secret("slack-webhook", ("hooks.slack.com/",),
         r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{24,}"),
    Secret("stripe-key", ("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
         r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    Secret("webhook-signing-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{24,}"),
    Secret("google-api-key", ("AIza",), r"AIza[\w-]{35}(?![A-Za-z0-9])"),
    Secret("google-oauth-secret", ("GOCSPX-",), r"GOCSPX-[\w-]{24,}"),
    Secret("google-oauth-token", ("ya29.", "1//0"), r"(?:ya29\.[\w-]{30,}|1//0[\w-]{40,})"),
    Secret("azure-storage-key", ("AccountKey=", "SharedAccessKey="),
         r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,90}={0,2})"),
    Secret("azure-sas", ("sig=",),
           r"sig=([A-Za-z0-9]{2}(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){36,60}(?:%3[dD]|=))"),
    Secret("anthropic-key", ("sk-ant-",), r"sk-ant-[a-z]{3,6}\d{2}-[\w-]{24,}"),
    Secret("openrouter-key", ("sk-or-",), r"sk-or-v\d-[0-9a-f]{40,}"),
    Secret("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
         r"sk-(?:proj|svcacct|admin|None)-[\w-]{40,}"),
    Secret("openai-key", ("sk-",), r"sk-[A-Za-z0-9]{48}(?![A-Za-z0-9])"),
    Secret("deepseek-key", ("sk-",), r"sk-[0-9a-f]{32}(?![A-Za-z0-9])"),
    Secret("hugging-face-token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{34,}"),
    Secret("groq-key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    Secret("perplexity-key", ("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    Secret("xai-key", ("xai-",), r"xai-[A-Za-z0-9]{60,}"),
    Secret("replicate-token", ("r8_",), r"r8_[A-Za-z0-9]{37,}"),
    Secret("langsmith-key", ("lsv2_",), r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    Secret("npm-token", ("npm_",), r"npm_[A-Za-z0-9]{36,}"),
    Secret("pypi-token", ("pypi-Ag",), r"pypi-Ag[\w-]{60,}"),
    Secret("rubygems-key", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    Secret("crates-token", ("cio",), r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    Secret("nuget-key", ("oy2",), r"oy2[a-z0-9]{43}(?![A-Za-z0-9])"),
    Secret("clojars-token", ("CLOJARS_",), r"CLOJARS_[0-9a-z]{60}"),
    Secret("docker-hub-token", ("dckr_",), r"dckr_[po]at_[\w-]{24,}"),
    Secret("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[0-9a-f]{64}"),
    Secret("heroku-key", ("HRKU-",), rf"HRKU-(?:AA[\w-]{{40,}}|{_UUID})"),
    Secret("twilio-key", ("SK",), r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    Secret("sendgrid-key", ("SG.",), r"SG\.[\w-]{16,32}\.[\w-]{32,}"),
    Secret("mailgun-key", ("key-", "pubkey-"), r"(?:pub)?key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    Secret("brevo-key", ("xkeysib-", "xsmtpsib-"), r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    Secret("resend-key", ("re_",), r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,32}(?![A-Za-z0-9])", is_token),
    Secret("square-token", ("sq0atp-", "sq0csp-", "EAAA"),
         r"(?:sq0atp-[\w-]{22,}|sq0csp-[\w-]{43}|EAAA[\w-]{60}(?![\w-]))"),
    Secret("facebook-token", ("EAA",), r"EAA[A-Za-z0-9]{90,}"),
    Secret("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    Secret("paypal-token", ("access_token$",),
         r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    Secret("plaid-token", ("access-sandbox-", "access-production-", "access-development-"),
         rf"access-(?:sandbox|production|development)-{_UUID}"),
    Secret("flutterwave-key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?"),
    Secret("easypost-key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    Secret("discord-bot-token", ("MT", "Mj", "Mz", "MD", "ND", "NT", "Nj", "Nz", "OD", "OT"),
         r"[MNO][A-Za-z0-9]{22,27}\.[\w-]{6}\.[\w-]{27,45}"),
    Secret("discord-webhook", ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
         r"discord(?:app)?\.com/api/webhooks/\d{15,21}/[\w-]{50,}"),
    Secret("atlassian-token", ("ATATT3", "ATCTT3", "ATBB"), r"(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{32})"),
    Secret("linear-key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{40,}"),
    Secret("notion-token", ("secret_", "ntn_"),
         r"(?:secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])|ntn_[A-Za-z0-9]{40,})"),
    Secret("figma-token", ("figd_", "figo_"), r"fig[do]_[\w-]{36,}"),
    Secret("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    Secret("asana-token", ("1/", "2/"),
         r"(?:1/\d{14,17}:[0-9a-f]{32}|2/\d{14,17}/\d{14,17}:[0-9a-f]{32})(?![A-Za-z0-9])"),
    Secret("databricks-token", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    Secret("new-relic-key", ("NRAK-", "NRII-", "NRRA-", "NRSP-"), r"NR(?:AK|II|RA|SP)-[A-Za-z0-9_-]{26,}"),
    Secret("sentry-token", ("sntrys_", "sntryu_"), r"sntry(?:u_[0-9a-f]{64}|s_[\w+/=-]{60,})"),
    Secret("grafana-token", ("glsa_", "glc_"),
         r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2})"),
    Secret("dynatrace-token", ("dt0",), r"dt0[a-z]\d{2}\.[A-Z2-7]{24}\.[A-Z2-7]{64}"),
    Secret("posthog-key", ("phx_",), r"phx_[A-Za-z0-9]{40,}"),
    Secret("cloudflare-token", ("cfut_", "cfat_", "cfk_", "v1.0-"),
         r"(?:cf(?:ut|at|k)_[A-Za-z0-9]{40,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{146})"),
    Secret("vault-token", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[\w-]{24,}"),
    Secret("pulumi-token", ("pul-",), r"pul-[0-9a-f]{40}(?![A-Za-z0-9])"),
    Secret("doppler-token", ("dp.",),
         r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[\w-]{1,35})?)\.[A-Za-z0-9]{40,44}(?![A-Za-z0-9])"),
    Secret("planetscale-token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,}"),
    Secret("supabase-key", ("sbp_", "sb_secret_"), r"(?:sbp_(?:v\d_)?[0-9a-f]{40}|sb_secret_[\w-]{24,})"),
    Secret("neon-key", ("napi_",), r"napi_[a-z0-9]{60,}"),
    Secret("vercel-token", ("vcp_", "vci_", "vca_", "vcr_", "vck_", "vercel_blob_rw_"),
         r"(?:vc[piark]_[A-Za-z0-9]{24,}|vercel_blob_rw_\w{30,})"),
    Secret("netlify-token", ("nfp_", "nfc_", "nfo_"), r"nf[pco]_[A-Za-z0-9]{36,}"),
    Secret("render-key", ("rnd_",), r"rnd_[A-Za-z0-9]{28,}"),
    Secret("fly-token", ("fm1", "fm2_", "fo1_"), r"(?:fm1[ar]_|fm2_|fo1_)[\w+/=-]{40,}"),
    Secret("tailscale-key", ("tskey-",), r"tskey-[a-z]{2,10}-[A-Za-z0-9]{8,20}(?:CNTRL)?-[A-Za-z0-9]{20,}"),
    Secret("buildkite-token", ("bkua_",), r"bkua_[0-9a-f]{40}"),
    Secret("circleci-token", ("CCIPAT_", "CCIPRJ_"), r"CCIP(?:AT|RJ)_[A-Za-z0-9]{16,32}_[0-9a-f]{40}"),
    Secret("sonar-token", ("squ_", "sqp_", "sqa_"), r"sq[upa]_[0-9a-f]{40}"),
    Secret("artifactory-key", ("AKCp",), r"AKCp[A-Za-z0-9]{60,}"),
    Secret("postman-key", ("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    Secret("contentful-token", ("CFPAT-",), r"CFPAT-[\w-]{40,}"),
    Secret("sourcegraph-token", ("sgp_",), r"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
    Secret("dropbox-token", ("sl.",), r"sl\.(?:u\.)?[\w-]{120,}"),
    Secret("mapbox-token", ("sk.eyJ",), r"sk\.eyJ[\w-]{40,400}\.[\w-]{20,}"),
    Secret("one-password-key", ("ops_eyJ",), r"ops_eyJ[\w+/=-]{200,}"),
    Secret("one-password-key", ("A3-",),
         r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    Secret("mongodb-atlas-secret", ("mdb_sa_sk_",), r"mdb_sa_sk_[\w-]{36,}"),
    Secret("prefect-key", ("pnu_", "pnb_"), r"pn[ub]_[A-Za-z0-9]{36}"),
    Secret("typeform-token", ("tfp_",), r"tfp_[\w-]{40,}"),
    Secret("shippo-token", ("shippo_",), r"shippo_(?:live|test)_[0-9a-f]{40}"),
    Secret("django-secret-key", ("django-insecure-",), r"django-insecure-[^\s\"'`]{40,60}"),
    Secret("json-web-token", ("eyJ",), r"eyJ[\w-]{10,400}\.eyJ[\w-]{10,4000}\.[\w-]{16,}"),
)
"""Formats that start with letters of their own; they count where no letter or digit stands before."""

INSIDE = (
    Secret("azure-client-secret", ("Q~",), r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])"),
    Secret("terraform-cloud-token", (".atlasv1.",), r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    Secret("telegram-bot-token", (":AA",), r"(?<![A-Za-z0-9])\d{8,10}:AA[\w-]{32,34}(?![\w-])"),
    Secret("mailchimp-key", ("-us",), r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    Secret("new-relic-key", ("NRAL",), r"(?<![A-Za-z0-9])[0-9a-f]{36}NRAL(?!\w)"),
    Secret("azure-devops-token", ("AZDO",), r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?!\w)"),
)
"""Formats whose telling letters stand in the middle."""

NAMED = (
    Secret("google-service-account", ('"private_key"',),
         rf'"(?i:private_key)"\s{{0,4}}:\s{{0,4}}"({_PEM})', _holds_a_key),
    Secret("private-key", ("-----begin ",), _PEM, _holds_a_key),
    Secret("putty-private-key", ("putty-user-key-file-",),
         r"PuTTY-User-Key-File-\d:(?:[^\n]{0,200}\n){1,40}?Private-Lines: \d{1,4}\n(?:[\w+/=]++\n?)++"),
    Secret("aws-secret-key",
         ("secret_access_key", "secretaccesskey", "secret access key", "secret-access-key", "aws_secret"),
         rf"[\w -]{{4,32}}{_SET_TO}([A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])"),
    Secret("aws-session-token", ("session_token", "sessiontoken"),
         r"(?i:session_?token)[\"'`]{0,2}\s{0,3}[=:]\s{0,3}[\"'`]{0,2}([A-Za-z0-9/+=]{100,})"),
    _assigned("datadog-key", "datadog", "dd_api", "dd_app", "dd-api", value=r"[0-9a-f]{40}|[0-9a-f]{32}"),
    _assigned("fastly-token", "fastly", value=r"[\w-]{32}"),
    _assigned("vercel-token", "vercel", value=r"[A-Za-z0-9]{24}"),
    _assigned("heroku-key", "heroku", value=_UUID),
    _assigned("cloudflare-token", "cloudflare", "cf_api", value=r"[\w-]{40}|[0-9a-f]{37}"),
    _assigned("twilio-key", "twilio", value=r"[0-9a-f]{32}"),
    _assigned("vault-token", "vault", value=r"s\.[A-Za-z0-9]{24}"),
    _assigned("okta-token", "okta", value=r"00[\w-]{40}"),
    _assigned("azure-devops-token", "azure_devops", "azure devops", value=r"[a-z2-7]{52}"),
    _assigned("algolia-key", "algolia", value=r"[0-9a-f]{32}"),
    _assigned("snyk-token", "snyk", value=_UUID),
    _assigned("hetzner-token", "hetzner", "hcloud", value=r"[A-Za-z0-9]{64}"),
    _assigned("scaleway-key", "scaleway", "scw_", value=_UUID),
    Secret("netrc-password", ("machine",),
         r"(?i:machine)\s{1,9}[^\s]{1,255}\s{1,9}login\s{1,9}[^\s]{1,255}\s{1,9}password\s{1,9}([^\s]{4,255})",
         is_url_password),
    Secret("connection-string-password", ("password=", "pwd="),
         r"(?i:(?:password|pwd)=)(?:(?i:(?<=;password=)|(?<=; password=)|(?<=;pwd=)|(?<=; pwd=))"
         r"|(?=[^;\s]{4,128};[\w ]{2,30}=))[\"']?([^;\s\"']{4,128})", is_url_password),
    Secret("url-password", ("://",),
         r"://[^\s/:@\"'<>`]{0,128}:([^\s/@\"'<>`]{1,256})@[\w\[]", is_url_password),
    Secret("basic-auth", ("basic ",), r"(?i:basic) {1,3}([A-Za-z0-9+/]{8,}={0,2})", hides_a_login),
    Secret("basic-auth", ('"auth"', "_auth="),
         r"(?i:\"auth\"\s{0,3}:\s{0,3}\"|_auth=\"?)([A-Za-z0-9+/]{8,}={0,2})", hides_a_login),
    Secret("bearer-token", ("bearer ",), r"(?i:bearer) {1,3}[\"'`]?([\w.~+/=-]{15,}[\w~+/=-])", is_token),
    Secret("one-time-password-seed", ("otpauth://",),
         r"(?i:otpauth)://[^\s\"'<>`]{0,300}?[?&](?i:secret)=([A-Za-z2-7]{16,128})"),
    Secret("assigned-secret", ("token ", "secret ", "api key "),
         r"(?<![\w-])(?i:token|secret|api key) {1,2}[\"'`(]?([\w-]{32,128})(?![\w/+=-])", is_mixed_token),
    Secret("login-at-host", ("root:", "admin:", "ubuntu:", "deploy:", "postgres:", "ec2-user:", "user:"),
         r"(?<![\w/@.-])[\w-]{4,16}:([^\s/@:\"'<>`]{4,64})@(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z0-9.-]{1,60}"
         r"\.(?:internal|local|lan))(?![\w.]*\w)", is_url_password),
    Secret("command-line-login", ("mysql", "mariadb"),
         r"(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)(?: {1,3}[^\s;|&]{1,60}){0,8}? {1,3}-p[\"']?"
         r"([^\s\"';|&]{4,128})", _firm_password),
    Secret("command-line-login", ("mysql", "mariadb"),
         r"(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)(?: {1,3}[^\s;|&]{1,60}){0,6}? {1,3}(?:-u|--user)[= ]?"
         r"[^\s;|&]{1,64}(?: {1,3}[^\s;|&]{1,60}){0,6}? {1,3}-p[\"']?([^\s\"';|&]{4,128})", is_url_password),
    Secret("command-line-login", ("sshpass",),
         r"sshpass {1,3}-p {0,3}[\"']?([^\s\"']{4,128})", is_url_password),
    Secret("command-line-login", (" -u ", " --user "),
         r" -(?:u|-user) {1,3}[\"']?[^\s:\"'$]{1,64}:([^\s\"']{4,128})", _firm_password),
)
"""Formats that only their surroundings give away; the clue is looked for in lower case."""
# fmt: on
