import ArgumentParser
import Glibc

/// Reads the command line, carries it out, and ends with a status of ``ExitStatus``.
@main
enum Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Carries out one command line.
    static func run(_ arguments: [String]) -> ExitStatus {
        do {
            if let message = CommandSuggestion.complaint(about: arguments) {
                throw ClientError.usage(message)
            }
            var command = try Facefetch.parseAsRoot(arguments)
            try command.run()
            return .done
        } catch let error as ClientError {
            Output.note(error.message)
            return error.status
        } catch let status as ExitStatus {
            return status
        } catch {
            return report(parserError: error)
        }
    }

    /// Prints what ArgumentParser has to say: help and version, or what is
    /// wrong with the command line.
    ///
    /// Its own status for the latter, 64, becomes 2.
    private static func report(parserError error: any Error) -> ExitStatus {
        if Facefetch.exitCode(for: error) == .success {
            print(Facefetch.fullMessage(for: error))
            return .done
        }
        guard Facefetch.exitCode(for: error) == .validationFailure else {
            Output.note("\(error)".safeForTerminal)
            return .unsuccessful
        }
        Output.note(
            complaint(Facefetch.message(for: error), full: Facefetch.fullMessage(for: error)).safeForTerminal
        )
        return .usage
    }
}

extension Main {
    /// What is wrong with the command line, and where its command is described.
    ///
    /// - Parameters:
    ///   - message: ArgumentParser's sentence.
    ///   - full: All it says, with usage lines; the last names the help.
    static func complaint(_ message: String, full: String) -> String {
        let pointer = full.split(separator: "\n").last { $0.contains("See '") }
        let command = pointer?.split(separator: "'").dropFirst().first ?? "facefetch --help"
        // Choices come as a list, a line each.
        let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
        let choices = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        let words = lines.filter { !$0.hasPrefix("- ") } + [choices.joined(separator: ", ")[...]]
        let sentence = words.filter { !$0.isEmpty }.joined(separator: " ").endedSentence
        return "\(sentence) See \"\(command)\"."
    }
}

/// A command that has said all it has to say ends by throwing its status.
extension ExitStatus: Error {}
