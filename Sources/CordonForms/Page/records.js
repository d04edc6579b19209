// Records and drafts, kept in the browser's own database.

class RecordStore {
  /** Opens the database of a form; without one, records stay in memory. */
  static async open(form, kind = RecordStore) {
    const store = new kind();
    store.memory = { records: new Map(), revisions: new Map(), meta: new Map() };
    try {
      store.database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(`cordon-form-${form}`, 2);
        request.onupgradeneeded = () => {
          const names = request.result.objectStoreNames;
          if (!names.contains("records")) request.result.createObjectStore("records", { keyPath: "record" });
          if (!names.contains("revisions")) request.result.createObjectStore("revisions", { keyPath: "id" });
          if (!names.contains("meta")) request.result.createObjectStore("meta", { keyPath: "name" });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      // Another page of the same form that needs a newer layout must not wait for this one.
      store.database.onversionchange = () => store.database.close();
    } catch {
      store.database = undefined;
    }
    return store;
  }

  get isKept() { return this.database !== undefined; }

  run(table, mode, body) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(table, mode);
      const request = body(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  async everything(table) {
    return this.database ? this.run(table, "readonly", (rows) => rows.getAll()) : [...this.memory[table].values()];
  }

  async write(table, list) {
    if (list.length === 0) return;
    const keyOf = (one) => one.record ?? one.id ?? one.name;
    if (!this.database) return list.forEach((one) => this.memory[table].set(keyOf(one), one));
    await this.run(table, "readwrite", (rows) => { list.forEach((one) => rows.put(one)); return undefined; });
  }

  async erase(table, keys) {
    if (keys.length === 0) return;
    if (!this.database) return keys.forEach((key) => this.memory[table].delete(key));
    await this.run(table, "readwrite", (rows) => { keys.forEach((key) => rows.delete(key)); return undefined; });
  }

  async meta(name) {
    const row = this.database ? await this.run("meta", "readonly", (rows) => rows.get(name)) : this.memory.meta.get(name);
    return row?.value;
  }

  async setMeta(name, value) { await this.write("meta", [{ name, value }]); }

  /** All records and the draft, in order of their last change. */
  async all() {
    const list = await this.everything("records");
    return list.sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
  }

  async put(record) { await this.write("records", [record]); }

  async remove(record) { await this.erase("records", [record]); }
}
