import ArgumentParser
import ControlAPI
import ControlServer

/// The command `facefetchd api-document`, which prints the OpenAPI document of the control socket.
///
/// The manual is generated from it, so it always agrees with the daemon.
struct APIDocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-document",
        abstract: "Print the OpenAPI document of the control socket.",
        shouldDisplay: false
    )

    func run() {
        StandardStream.output.write(OpenAPIDocument.text(version: ProductVersion.current) + "\n")
    }
}
