import CordonCore
import CordonYAML

/// Reads the phones of a scenario.
struct PhoneSetupReader {
  func phones(_ value: YAMLValue) throws -> PhoneSetup {
    let fields = try value.fields([
      "preset", "error", "interval", "sampling", "thinning", "flush_after", "geofence_delay", "network", "habits",
      "energy",
      "clock_skew", "notice_after",
    ])
    var phones = PhoneSetup()
    phones.preset = try fields["preset"]?.choice(PhonePreset.self) ?? phones.preset
    phones.errorModel = try fields["error"].map { try PositionErrorModel.read($0).model }
    phones.interval = try fields["interval"]?.span(in: ScenarioLimits.interval) ?? phones.interval
    if let sampling = fields["sampling"] { phones.sampling = try self.sampling(sampling) }
    phones.thinning = try fields["thinning"]?.span(in: ScenarioLimits.thinning)
    phones.flushAfter = try fields["flush_after"]?.span(in: ScenarioLimits.flushAfter)
    phones.geofenceDelay = try fields["geofence_delay"]?.span(in: .zero...(.hours(1))) ?? .zero
    phones.clockSkew = try fields["clock_skew"]?.span(in: .zero...(.hours(1))) ?? .zero
    phones.noticeAfter = try fields["notice_after"]?.span(in: .zero...(.days(60)))
    if let network = fields["network"] { phones.network = try self.network(network) }
    if let habits = fields["habits"] { phones.habits = try self.habits(habits) }
    if let energy = fields["energy"] { phones.energy = try self.energy(energy, &phones.positioningMilliwatts) }
    return phones
  }

  private func sampling(_ value: YAMLValue) throws -> PhoneSetup.Sampling {
    guard value.isMap else {
      switch try value.text {
      case "library": return .library
      case "continuous": return .continuous
      case "motion": return .motion(PhoneSetup.Sampling.defaultMotion)
      case let name:
        throw value.fail("'\(name)' is not one of library, continuous, motion, {distance: 5}, {motion: 5m}")
      }
    }
    let fields = try value.fields(["distance", "motion"])
    switch (fields["distance"], fields["motion"]) {
    case (let distance?, nil): return .distance(try distance.number(in: PhoneSetup.Sampling.distances))
    case (nil, let motion?): return .motion(try motion.span(in: PhoneSetup.Sampling.motions))
    default: throw value.fail("needs exactly one of distance, motion")
    }
  }

  private func network(_ value: YAMLValue) throws -> PhoneSetup.Network {
    let fields = try value.fields(["latency", "loss", "server_errors", "offline_per_day", "offline_mean"])
    var network = PhoneSetup.Network()
    network.latency = try fields["latency"]?.span(in: .zero...(.seconds(59))) ?? network.latency
    network.loss = try fields["loss"]?.number(in: 0...0.95) ?? 0
    network.serverErrors = try fields["server_errors"]?.number(in: 0...0.95) ?? 0
    network.offlinePerDay = try fields["offline_per_day"]?.number(in: 0...200) ?? 0
    network.offlineMean = try fields["offline_mean"]?.span(in: .seconds(1)...(.hours(24))) ?? network.offlineMean
    return network
  }

  private func habits(_ value: YAMLValue) throws -> PhoneSetup.Habits {
    let fields = try value.fields(["kills_per_day", "restart_after", "permission_loss", "pauses", "withdrawals"])
    var habits = PhoneSetup.Habits()
    habits.killsPerDay = try fields["kills_per_day"]?.number(in: 0...200) ?? 0
    habits.restartAfter = try fields["restart_after"]?.span(in: .seconds(1)...(.hours(24))) ?? habits.restartAfter
    habits.permissionLossShare = try fields["permission_loss"]?.number(in: 0...1) ?? 0
    habits.pauseShare = try fields["pauses"]?.number(in: 0...1) ?? 0
    habits.withdrawalShare = try fields["withdrawals"]?.number(in: 0...1) ?? 0
    return habits
  }

  private func energy(_ value: YAMLValue, _ positioning: inout Double?) throws -> EnergyModel {
    let fields = try value.fields(["battery_wh", "base_mw", "positioning_mw", "fix_mj", "request_mj", "byte_uj"])
    var energy = EnergyModel()
    energy.batteryWattHours = try fields["battery_wh"]?.number(in: 0.1...1_000) ?? energy.batteryWattHours
    energy.baseMilliwatts = try fields["base_mw"]?.number(in: 0...10_000) ?? energy.baseMilliwatts
    positioning = try fields["positioning_mw"]?.number(in: 0...10_000)
    energy.fixMillijoules = try fields["fix_mj"]?.number(in: 0...1e6) ?? energy.fixMillijoules
    energy.requestMillijoules = try fields["request_mj"]?.number(in: 0...1e6) ?? energy.requestMillijoules
    energy.byteMicrojoules = try fields["byte_uj"]?.number(in: 0...1e6) ?? energy.byteMicrojoules
    return energy
  }
}
