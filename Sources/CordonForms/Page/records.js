// Records and the draft, kept in the browser's own database. Nothing is sent anywhere.

class RecordStore {
  /** Opens the database of a form; without one, records stay in memory. */
  static async open(form) {
    const store = new RecordStore();
    store.memory = new Map();
    try {
      store.database = await new Promise((resolve, reject) => {
        const request = indexedDB.open(`cordon-form-${form}`, 1);
        request.onupgradeneeded = () => request.result.createObjectStore("records", { keyPath: "record" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    } catch {
      store.database = undefined;
    }
    return store;
  }

  get isKept() { return this.database !== undefined; }

  run(mode, body) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction("records", mode);
      const request = body(transaction.objectStore("records"));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** All records and the draft, in order of their last change. */
  async all() {
    const list = this.database ? await this.run("readonly", (records) => records.getAll()) : [...this.memory.values()];
    return list.sort((a, b) => a.time < b.time ? -1 : a.time > b.time ? 1 : 0);
  }

  async put(record) {
    if (this.database) await this.run("readwrite", (records) => records.put(record)); else this.memory.set(record.record, record);
  }

  async remove(id) {
    if (this.database) await this.run("readwrite", (records) => records.delete(id)); else this.memory.delete(id);
  }
}
