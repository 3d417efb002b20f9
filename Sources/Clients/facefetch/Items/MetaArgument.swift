import ArgumentParser

/// An argument of `--meta`: something to know of all files, or the columns of a table that do.
enum MetaArgument: Hashable, Sendable {
    /// `album=holiday`.
    case member(MetaMember)
    /// `title,author`.
    case columns([String])

    /// Reads an argument: a member has an equals sign, names of columns have none.
    ///
    /// - Throws: `ValidationError`
    init(argument: String) throws {
        if argument.contains("=") {
            self = .member(try MetaMember(argument: argument))
        } else {
            self = .columns(argument.split(separator: ",").map(String.init))
        }
    }
}

extension [MetaArgument] {
    /// Those that are of all files.
    var members: [MetaMember] {
        compactMap { argument -> MetaMember? in if case .member(let member) = argument { member } else { nil }
        }
    }

    /// The columns of a table.
    var columns: [String] {
        flatMap { argument -> [String] in if case .columns(let names) = argument { names } else { [] } }
    }
}
