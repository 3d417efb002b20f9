import Vocabulary

extension Recipe {
    /// Returns the source's own origin, to which alone its secrets go; nil if the recipe itself doesn't tell
    /// it.
    ///
    /// What a list of slices says may stand anywhere in the URL but where it decides about the origin: its
    /// server could have the secrets sent to any other. A list of slices, and a picture, are asked for
    /// without the variables of a slice.
    public func home(_ variables: Variables) -> URLOrigin? {
        let origins = origins(of: url, variables)
        return origins[0] == origins[1] ? origins[0] : nil
    }

    /// The origins of a URL for two values of what the recipe itself doesn't give.
    private func origins(of url: URLTemplate, _ variables: Variables) -> [URLOrigin?] {
        let open = url.names.filter { !variables.isOwn($0) }
        return ["0", "1"].map { text in
            (try? url.filled(variables.setting(open, to: text))).flatMap { URLOrigin(URLReference($0)) }
        }
    }

    /// Returns whether a variable's value is from the recipe's own range, rather than from a list of slices.
    func gives(_ value: String, to name: String) -> Bool {
        guard !sliceVariables.contains(where: { $0.name == name }) else { return false }
        return variables.contains { $0.name == name && $0.slices?.contains(value) == true }
    }

    /// Checks that secrets can only go to the source's own origin.
    func checkSecrets(_ reader: inout RecipeReader) {
        guard !secrets.isEmpty else { return }
        let listed = Set(sliceVariables.map(\.name))
        if kind != .s3, let name = url.names.first(where: listed.contains) {
            let origins = origins(of: url, example(ranges: true))
            if url.leading == name || origins[0] != origins[1] {
                reader.problem(
                    "url",
                    "a list of slices can't say which server gets a secret; write the server's name here instead "
                        + "of {\(name)}, or leave the secret out"
                )
            }
        }
        let secret = Set(variables.filter { $0.secret != nil }.map(\.name))
        let example = example(ranges: false)
        for (field, list) in [("slices.url", slices), ("slices.slices.url", slices?.slices)] {
            guard let list, let secret = list.url.names.first(where: secret.contains) else { continue }
            let origins = origins(of: list.url, example)
            // A slice may say what the URL begins with.
            let isOpen = list.url.leading.map(listed.contains) ?? false
            let isSame =
                origins[0] == origins[1] && origins[0].map { home(example)?.covers($0) == true } ?? true
            guard isOpen || !isSame else { continue }
            reader.problem(
                field,
                "a secret is only sent to the server of url, which is another one; leave {\(secret)} out here"
            )
        }
    }

    /// The variables with some value for each that the recipe gives.
    private func example(ranges: Bool) -> Variables {
        let listed = Set(sliceVariables.map(\.name))
        var texts: [String: String] = [:]
        for variable in variables where !listed.contains(variable.name) {
            switch variable.value {
            case .text(let text), .choice(_, let text): texts[variable.name] = text
            case .each(let all): texts[variable.name] = ranges ? all.first : nil
            case .secret:
                let isBase = [url.leading, slices?.url.leading, slices?.slices?.url.leading].contains(
                    variable.name
                )
                texts[variable.name] = isBase ? "https://secret.invalid" : "secret"
            }
        }
        return Variables(texts)
    }
}
