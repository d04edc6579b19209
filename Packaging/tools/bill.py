"""The bill of materials of a release, in SPDX 2.3 (JSON): what is in it, from where, under which licence.

Swift packages come from Package.resolved and the table of THIRD-PARTY.md, libraries of the system from the packages that
installed them.
"""
import datetime
import json
import re
import uuid

import archive
import portable


def resolved(root):
    """The resolved Swift packages: name, location, revision and version."""
    file = root / "Package.resolved"
    if not file.exists():
        raise portable.Failure(f"{file} is missing; build first, or run swift package resolve")
    found = []
    for pin in json.loads(file.read_text("utf-8"))["pins"]:
        location = re.sub(r"\.git$", "", pin["location"])
        found.append({
            "name": location.rsplit("/", 1)[-1], "location": location, "revision": pin["state"].get("revision", ""),
            "version": pin["state"].get("version", ""),
        })
    return sorted(found, key=lambda package: package["name"].lower())


def licences(root):
    """The rows of THIRD-PARTY.md: package in lower case to (user, licence)."""
    text = (root / "THIRD-PARTY.md").read_text("utf-8")
    text = text[text.index("## Swift packages"): text.index("## System")]
    rows = re.findall(r"^\| ([A-Za-z0-9.-]+) \| (.*) \| ([^|]*) \|$", text, re.M)
    return {name.lower(): (user, licence.strip()) for name, user, licence in rows if name != "package"}


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def swift_package(entry, rows):
    user, licence = rows.get(entry["name"].lower(), ("", "NOASSERTION"))
    location = entry["location"]
    path = re.sub(r"^https://", "", location)
    package = {
        "SPDXID": identifier("Package", entry["name"]), "name": entry["name"],
        "versionInfo": entry["version"] or entry["revision"], "downloadLocation": f"git+{location}@{entry['revision']}",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": licence, "copyrightText": "NOASSERTION",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:swift/{path}@{entry['version'] or entry['revision']}"}],
    }
    if "not linked" in user:
        package["comment"] = "Resolved, and not linked into any executable."
    return package


def debian_package(name):
    fields = portable.output("dpkg-query", "-W", "-f=${Package}\t${Version}\t${Architecture}", name).split("\t")
    return {
        "SPDXID": identifier("Debian", fields[0]), "name": fields[0], "versionInfo": fields[1], "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{fields[0]}@{fields[1].replace('+', '%2B')}?arch={fields[2]}"}],
    }


def document(root, folder, sources, version, date):
    """The bill of the files below `folder`, as text.

    - sources: the library of the system that each file below `folder` was copied from.
    """
    product = "SPDXRef-Package-Cordon"
    rows = licences(root)
    packages = [{
        "SPDXID": product, "name": "cordon", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
    }]
    relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", product)]
    for entry in resolved(root):
        package = swift_package(entry, rows)
        packages.append(package)
        if "comment" not in package:
            relationships.append((product, "DEPENDS_ON", package["SPDXID"]))
    runtime = {
        "SPDXID": "SPDXRef-Package-Swift-runtime", "name": "swift-runtime", "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0 WITH Swift-exception",
        "copyrightText": "NOASSERTION", "comment": "Standard library, Foundation and Dispatch.",
    }
    packages.append(runtime)
    relationships.append((product, "DEPENDS_ON", runtime["SPDXID"]))
    owners = {file: portable.owner(source) for file, source in sources.items()}
    for name in sorted({name for name in owners.values() if name}):
        packages.append(debian_package(name))
        relationships.append((product, "DEPENDS_ON", packages[-1]["SPDXID"]))
    files = []
    for path in archive.files_of(folder):
        name = str(path.relative_to(folder))
        files.append({
            "SPDXID": identifier("File", name), "fileName": f"./{name}", "licenseConcluded": "NOASSERTION",
            "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
            "checksums": [
                {"algorithm": "SHA1", "checksumValue": archive.digest(path, "sha1")},
                {"algorithm": "SHA256", "checksumValue": archive.digest(path)}],
        })
        if name in owners:
            source = owners[name].split(":")[0] if owners[name] else None
            origin = identifier("Debian", source) if source else runtime["SPDXID"]
            relationships.append((files[-1]["SPDXID"], "GENERATED_FROM", origin))
    created = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    contents = "".join(file["checksums"][1]["checksumValue"] for file in files)
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"cordon-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, version + contents)}",
        "creationInfo": {"created": created, "creators": [f"Tool: cordon-package-{version}"]},
        "packages": packages, "files": files,
        "relationships": [
            {"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relationships],
    }, indent=1, ensure_ascii=False) + "\n"
