import CordonSimulator

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "doors": DoorMeasurements.run(Array(arguments.dropFirst()))
case "validate": ValidationMeasurements.run(Array(arguments.dropFirst()))
case "bodies": BodyMeasurements.run(Array(arguments.dropFirst()))
case "crowd": CrowdMeasurements.run(Array(arguments.dropFirst()))
case "buildings": BuildingMeasurements.run(Array(arguments.dropFirst()))
case "memory": MemoryMeasurements.run(Array(arguments.dropFirst()))
case "meso": MesoscopicMeasurements.run(Array(arguments.dropFirst()))
default:
  print(
    """
    usage: bench-simulator doors [csm|avm] [one-way] [seeds=20] [first=101] [step=0.1] [gap=S] [patience=S] [reach=M]
           bench-simulator validate [csm|avm] [step=0.1] [seeds=20] [gap=S]
           bench-simulator bodies [steps=10000000]
           bench-simulator crowd FILE [csm|avm] [threads] [step=0.05] [seconds=20]
           bench-simulator buildings [KIND ...] [csm|avm] [one-stairs|one-elevator] [people=200] [minutes=40] [seeds=1] [first=3] [step=0.1]
           bench-simulator memory [people=1]
           bench-simulator meso [SCENARIO.yaml] [days=50]
    """)
}
