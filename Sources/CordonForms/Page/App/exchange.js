// Records that are kept in the browser and exchanged with the server. A change is stored here first, and sent when there is a network.

const batchCount = 200;
const batchBytes = 1500000;

/** The store of the app: drafts, revisions of all devices, and what the server has not confirmed yet. */
class SharedRecords extends RecordStore {
  /** Opens the records of a collector, or those of a device of a venue. */
  static async open(form, device) {
    const store = await RecordStore.open(device ? `${form}@${device}` : form, SharedRecords);
    store.form = form;
    store.isOfDevice = device !== undefined;
    await store.refresh();
    store.device = device ?? await store.meta("device");
    if (!store.device) {
      store.device = crypto.randomUUID();
      await store.setMeta("device", store.device);
    }
    return store;
  }

  /** Reads all revisions again: another page of the same form may have exchanged some. */
  async refresh() {
    const list = await this.everything("revisions");
    this.byRecord = new Map();
    for (const one of list) this.keep(one);
  }

  keep(entry) {
    const list = this.byRecord.get(entry.revision.record);
    if (!list) this.byRecord.set(entry.revision.record, [entry]);
    else if (!list.some((one) => one.id === entry.id)) list.push(entry);
    else list[list.findIndex((one) => one.id === entry.id)] = entry;
  }

  revisionsOf(record) { return (this.byRecord.get(record) ?? []).map((one) => one.revision); }

  get waiting() { return [...this.byRecord.values()].flat().filter((one) => one.state === "waiting"); }

  /** Drafts, and the present state of each record that is not deleted. */
  async all() {
    const drafts = await super.all();
    const open = new Set(drafts.map((one) => one.record));
    const records = [...this.byRecord.entries()].flatMap(([record, entries]) => {
      const heads = headsOf(entries.map((one) => one.revision));
      const head = heads.filter((one) => one.answers !== null).pop();
      if (!head || open.has(record)) return [];
      const refusal = entries.find((one) => one.state === "refused" && heads.some((each) => each.id === one.id));
      return [{
        record, form: head.form, version: head.version, time: head.time, draft: false, answers: head.answers,
        hasConflict: heads.length > 1, isWaiting: entries.some((one) => one.state === "waiting"), refusal: refusal?.detail,
      }];
    });
    return [...drafts, ...records].sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
  }

  async put(record) {
    if (record.draft) return super.put(record);
    const parents = record.parents ?? headsOf(this.revisionsOf(record.record)).map((one) => one.id);
    await this.add({ ...record, parents });
    return super.remove(record.record);
  }

  async remove(record) {
    await super.remove(record);
    const heads = headsOf(this.revisionsOf(record));
    if (heads.some((one) => one.answers !== null)) {
      await this.add({ record, form: this.form, version: heads.at(-1).version, parents: heads.map((one) => one.id), answers: null });
    }
  }

  async add(contents) {
    const revision = await makeRevision({ ...contents, form: this.form, device: this.device });
    const entry = { id: revision.id, revision, state: "waiting" };
    await this.write("revisions", [entry]);
    this.keep(entry);
  }

  // MARK: Exchange

  /** Exchanges revisions with the server until neither side lacks any. Throws an Error with `status` 0 without a network. */
  async exchange(key) {
    let more = true;
    await this.refresh();
    while (more) {
      const revisions = [];
      let bytes = 0;
      for (const { revision } of this.waiting.sort((a, b) => byTime(a.revision, b.revision))) {
        bytes += JSON.stringify(revision).length;
        if (revisions.length === batchCount || revisions.length > 0 && bytes > batchBytes) break;
        revisions.push(revision);
      }
      const after = await this.meta("cursor") ?? 0;
      const body = { after, limit: batchCount, revisions };
      if (await this.meta("isComplete")) body.without = this.device;
      const answer = await ask(`/v1/forms/${encodeURIComponent(this.form)}/sync`, key, body);
      await this.take(answer);
      if (!answer.more) await this.setMeta("isComplete", true);
      await this.setMeta("cursor", answer.cursor);
      const isStuck = revisions.length > 0 && answer.answers.length === 0;
      more = answer.more || this.waiting.length > 0 && !isStuck;
      this.latest = answer.version;
    }
  }

  /** Takes over an answer of the server. */
  async take(answer) {
    const entries = new Map();
    const all = new Map([...this.byRecord.values()].flat().map((one) => [one.id, one]));
    for (const { id, status, detail } of answer.answers) {
      const one = all.get(id);
      if (one) entries.set(id, { ...one, state: status === "refused" ? "refused" : "sent", detail });
    }
    for (const revision of answer.revisions) {
      entries.set(revision.id, { id: revision.id, revision, state: "sent" });
    }
    await this.write("revisions", [...entries.values()]);
    for (const one of entries.values()) this.keep(one);
    for (const record of answer.erased) {
      const list = this.byRecord.get(record) ?? [];
      await this.erase("revisions", list.map((one) => one.id));
      await super.remove(record);
      this.byRecord.delete(record);
    }
  }
}

/** Sends a request, with the key of a collector or the token of a device, and returns the answer. */
async function ask(path, key, body) {
  let response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET", body: body && JSON.stringify(body), cache: "no-store", credentials: "omit",
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...(body ? { "content-type": "application/json" } : {}) },
    });
  } catch {
    throw Object.assign(new Error("offline"), { status: 0 });
  }
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
  return response.json();
}
