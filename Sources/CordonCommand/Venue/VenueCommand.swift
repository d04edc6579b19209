import ArgumentParser

/// The command `cordon venue`.
struct VenueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "venue",
    abstract: "Read, validate, draw, convert and generate venue maps.",
    discussion: """
      A venue is a map of one place: buildings, floors, rooms, doors, stairs. Maps are read from a zip file, a folder or \
      a single file in MVF 1 to 3, IMDF, WRLD or GeoJSON; the contents decide the format. Begin with:

        cordon venue info venues/office.mvf.zip
        cordon venue render venues/office.mvf.zip -o plans
      """,
    subcommands: [
      VenueInfoCommand.self, VenueValidateCommand.self, VenueGeofenceCommand.self, VenueLocateCommand.self,
      VenueLineOfSightCommand.self, VenueDistancesCommand.self, VenueRenderCommand.self, VenueEditCommand.self,
      VenueConvertCommand.self,
      VenueGeoreferenceCommand.self,
      VenuePackCommand.self, VenueGenerateCommand.self,
    ])
}
