/// The access to a bucket.
public struct S3Settings: Hashable, Sendable {
    /// The place of the bucket's name in URLs.
    public enum Style: String, CaseIterable, Hashable, Sendable {
        /// In the host name for AWS unless the bucket's name has dots, otherwise in the path.
        case auto
        /// In the path.
        case path
        /// In the host name.
        case host
    }

    /// The access keys' location.
    public struct Credentials: Hashable, Sendable {
        /// The name of the secret, a file in the format of ~/.aws/credentials.
        public var secret: String
        /// The profile in that file.
        public var profile = "default"
    }

    /// The server's URL; nil for AWS.
    public var endpoint: URLReference?
    /// The region.
    public var region = "us-east-1"
    /// The place of the bucket's name in URLs.
    public var style: Style = .auto
    /// The credentials; nil for anonymous access.
    public var credentials: Credentials?

    /// Creates the settings for a public bucket at AWS.
    public init() {}
}

extension Recipe {
    /// Reads the section `s3`.
    func readS3(_ reader: inout RecipeReader) -> S3Settings? {
        guard let value = reader.value("s3") else { return kind == .s3 ? S3Settings() : nil }
        var section = RecipeReader(value, section: "s3")
        defer { reader.add(section.problems) }
        if kind != .s3 { section.problem("", "only kind s3 has this") }
        var settings = S3Settings()
        settings.style = section.word("style", S3Settings.Style.self) ?? settings.style
        settings.region =
            section.parsed("region", "a word such as eu-central-1") { text in
                Names.isWord(text) ? text.lowercased() : nil
            } ?? settings.region
        settings.endpoint = section.parsed(
            "endpoint",
            "an http or https URL without a query, such as https://s3.example.org"
        ) {
            let reference = URLReference($0)
            return reference.isBase ? reference : nil
        }
        settings.credentials = readCredentials(&section)
        return settings
    }

    private func readCredentials(_ section: inout RecipeReader) -> S3Settings.Credentials? {
        guard let value = section.value("credentials"), value != .text("anonymous") else { return nil }
        guard case .map = value else {
            section.problem(
                "credentials",
                "give anonymous, or {secret: NAME, profile: NAME}, not \(value.noun)"
            )
            return nil
        }
        var credentials = RecipeReader(value, section: "s3.credentials")
        defer { section.add(credentials.problems) }
        let profile = credentials.text("profile") ?? "default"
        guard let secret = credentials.value("secret") else {
            credentials.problem("secret", "this is needed: the name of a secret")
            return nil
        }
        do throws(RecipeProblem) {
            return S3Settings.Credentials(secret: try Self.secret(secret, "s3.credentials"), profile: profile)
        } catch {
            credentials.add([error])
            return nil
        }
    }
}
