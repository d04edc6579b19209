import Cordon
import CordonSealing

func openSealedStore(file: String, keyFile: String) async throws -> SQLiteStore {
  let sealer = AESGCMSealer(keys: FileKeyStore(path: keyFile))
  let store = try await SQLiteStore.whenUnlocked(path: file, sealer: sealer)
  return store
}
