import CordonServer
import Logging

func runServer(data: String, venues: String) async throws {
  let folder = try DataFolder(data)
  try folder.checkModes()
  let lock = try folder.lock()
  defer { lock.release() }
  let server = IngestServer(
    settings: IngestServer.Settings(), folder: folder, venues: VenueFolder(venues), logger: Logger(label: "server"))
  try await server.run()
}
