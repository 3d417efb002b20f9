import CurlTransfer
import Glibc
import JobModel
import Settings
import Vocabulary

/// The settings of single hosts, in the terms of the parts.
extension DaemonSettings {
    /// The limits of hosts.
    var hostRules: HostRules {
        HostRules(
            standard: HostLimits(pace: transfer.pace),
            named: Dictionary(
                hosts.all.map { host in
                    (host.name, HostLimits(pace: host.pace, perHost: host.perHost, rateLimit: host.rateLimit))
                }
            ) { first, _ in first }
        )
    }

    /// Reads the secrets of hosts.
    ///
    /// - Throws: ``StartFailure`` for a secret that is missing or can't be used.
    func hostCredentials() throws(StartFailure) -> HostNames<HostCredentials> {
        var all: [String: HostCredentials] = [:]
        for host in hosts.all {
            var credentials = HostCredentials()
            if let name = host.headers {
                credentials.fields = try secret(name, "hosts.\(host.name).headers").headerFields()
            }
            if let name = host.cookies {
                credentials.cookies = try secret(name, "hosts.\(host.name).cookies").cookies()
            }
            // The longest name counts, alone, also where it has nothing.
            all[host.name] = credentials
        }
        return HostNames(all)
    }

    private func secret(_ name: String, _ key: String) throws(StartFailure) -> SecretFile {
        for directory in secretsDirectories where access("\(directory)/\(name)", F_OK) == 0 {
            return SecretFile(key: key, path: "\(directory)/\(name)")
        }
        throw StartFailure(
            status: .badSettings,
            description:
                "\(key): there is no secret \(name) in \(secretsDirectories.joined(separator: " nor "))"
        )
    }
}

extension SecretFile {
    /// Reads header fields, one a line; empty lines and those that begin with # are left out.
    fileprivate func headerFields() throws(StartFailure) -> [RequestHeader] {
        var fields: [RequestHeader] = []
        let text = String(decoding: try bytes(atMost: 65536), as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let place = "line \(number + 1)"
            guard let colon = line.firstIndex(of: ":") else {
                throw failure("has no header field in \(place): write it as Name: value")
            }
            let field: RequestHeader
            do throws(RequestHeader.Refusal) {
                field = try RequestHeader(
                    name: String(line[..<colon]),
                    value: String(line[line.index(after: colon)...])
                )
            } catch {
                throw failure("can't be used (\(place)): \(error.message)")
            }
            guard field.name.lowercased() != "cookie" else {
                throw failure("has a Cookie field (\(place)): cookies are a secret of their own, in cookies")
            }
            guard !fields.contains(where: { $0.name.lowercased() == field.name.lowercased() }) else {
                throw failure("has the field \(field.name) twice (\(place))")
            }
            fields.append(field)
            guard fields.count <= RequestHeader.maximumCount else {
                throw failure("has more than \(RequestHeader.maximumCount) header fields")
            }
        }
        return fields
    }

    /// Reads cookies.
    fileprivate func cookies() throws(StartFailure) -> [CookieFile.Cookie] {
        // Longer files are refused with the others.
        let bytes = try bytes(atMost: CookieFile.maximumLength + 1)
        do throws(CookieFile.Wrong) {
            return try CookieFile(bytes).cookies
        } catch {
            throw failure("is no cookies.txt (line \(error.line)): \(error.words)")
        }
    }
}
