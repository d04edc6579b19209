"""Runs canaille, an OpenID Connect provider, on a free port of loopback until its standard input ends.

usage: openid_provider.py CORDON_ADDRESS [--algorithm ES256]

Prints one line of JSON: the issuer, the client and its secret. The people ada (group admins), tess (tracers) and olga (no group)
have the password "correct horse battery".
"""

import argparse
import datetime
import json
import logging
import socket
import sys
import threading

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import ECKey, RSAKey
from werkzeug.serving import WSGIRequestHandler, make_server

arguments = argparse.ArgumentParser()
arguments.add_argument("address")
arguments.add_argument("--algorithm", default="RS256")
options = arguments.parse_args()
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
name = f"127.0.0.1:{port}"
keys = [RSAKey.generate_key(2048, {"kid": "rsa"}), ECKey.generate_key("P-256", {"kid": "ec"})]
app = create_app({
    "SECRET_KEY": "only for tests", "SERVER_NAME": name, "PREFERRED_URL_SCHEME": "http",
    "CANAILLE": {"DATABASE": "memory", "JAVASCRIPT": False, "HTMX": False, "LOGGING": {"version": 1}},
    "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True) for key in keys]},
})
logging.disable(logging.WARNING)
with app.app_context():
    backend = Backend.instance
    people = {}
    for user, given in (("ada", "Ada"), ("tess", "Tess"), ("olga", "Olga")):
        people[user] = models.User(
            user_name=user, formatted_name=f"{given} <b>Example", family_name="Example", given_name=given,
            emails=[f"{user}@id.example"], password="correct horse battery")
        backend.save(people[user])
    for group, user in (("admins", "ada"), ("tracers", "tess")):
        backend.save(models.Group(display_name=group, members=[people[user]]))
    client = models.Client(
        client_id="cordon", client_name="Cordon", client_secret="a secret of /+tests", client_uri="http://127.0.0.1",
        redirect_uris=[options.address + "/console/openid/callback"],
        post_logout_redirect_uris=[options.address + "/console/sign-in"], grant_types=["authorization_code"],
        response_types=["code"], scope=["openid", "profile", "groups"], token_endpoint_auth_method="client_secret_basic",
        id_token_signed_response_alg=options.algorithm,
        client_id_issued_at=datetime.datetime.now(datetime.timezone.utc))
    backend.save(client)
    client.audience = [client]
    backend.save(client)


class Quiet(WSGIRequestHandler):
    """A handler that logs nothing."""

    def log(self, *_):
        pass


server = make_server("127.0.0.1", port, app, threaded=True, request_handler=Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"issuer": f"http://{name}", "client": "cordon", "secret": "a secret of /+tests"}), flush=True)
sys.stdin.read()
