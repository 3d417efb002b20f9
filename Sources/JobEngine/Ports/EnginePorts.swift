/// The ports to everything outside that the engine works with.
struct EnginePorts {
    var store: any StorePort
    var transfers: any TransferPort
    var documents: any DocumentPort
    var detection: any DetectionPort
    var sinks: [any EventSink]
    var bus: EventBus
}
