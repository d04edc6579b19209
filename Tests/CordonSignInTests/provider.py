"""A provider of OpenID Connect (canaille, PyPI) on a port of loopback, and a person with a browser.

usage: provider.py PORT REDIRECT. Prints `ready`. Each line of standard input is the address of an authorization page; the person
signs in there and accepts, and the address to which the browser is sent back is printed.
"""
import datetime
import html.parser
import logging
import sys
import threading

from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend

port, redirect = int(sys.argv[1]), sys.argv[2]
logging.disable(logging.CRITICAL)
key = RSAKey.generate_key(2048, auto_kid=True)
app = create_app(
    config={
        "SECRET_KEY": "a secret of this test",
        "SERVER_NAME": f"127.0.0.1:{port}",
        "PREFERRED_URL_SCHEME": "http",
        "CANAILLE": {"DATABASE": "memory", "LOGGING": {"version": 1, "disable_existing_loggers": True}},
        "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True)]},
    },
    backend=None,
)
with app.app_context():
    with Backend.instance.session():
        person = models.User(
            user_name="person", family_name="Person", formatted_name="A Person", emails=["person@example.org"],
            password="correct horse battery staple")
        Backend.instance.save(person)
        client = models.Client(
            client_id="cordon-test", client_name="Cordon", client_id_issued_at=datetime.datetime.now(datetime.timezone.utc),
            redirect_uris=[redirect], grant_types=["authorization_code", "refresh_token"], response_types=["code"],
            scope=["openid", "profile"], token_endpoint_auth_method="none")
        Backend.instance.save(client)
        # Without an audience, identity tokens would be for nobody.
        client.audience = [client]
        Backend.instance.save(client)


class Forms(html.parser.HTMLParser):
    """The last form of a page: its action and fields, and the values of its buttons."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields, self.buttons = None, {}, []
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        values = dict(pairs)
        if tag == "form":
            self.action, self.fields, self.buttons = values.get("action"), {}, []
        elif tag == "input" and values.get("name"):
            self.fields[values["name"]] = values.get("value") or ""
        elif tag == "button" and values.get("name"):
            self.buttons.append((values["name"], values.get("value") or ""))


def browse(url):
    browser = app.test_client()
    answer = browser.get(url)
    for _ in range(12):
        place = answer.headers.get("location")
        if place and place.startswith(redirect):
            return place
        if place:
            answer = browser.get(place)
            continue
        form = Forms(answer.get_data(as_text=True))
        fields = dict(form.fields)
        if "login" in fields:
            fields["login"] = "person"
        if "password" in fields:
            fields["password"] = "correct horse battery staple"
        for name, value in form.buttons:
            if value in ("accept", "login") or name == "answer" and value == "accept":
                fields[name] = value
        answer = browser.post(form.action or answer.request.path, data=fields, headers={"referer": url})
    return "lost at " + answer.request.url + " " + answer.get_data(as_text=True)[:400].replace("\n", " ")


server = make_server("127.0.0.1", port, app, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    print(browse(line.strip()), flush=True)
