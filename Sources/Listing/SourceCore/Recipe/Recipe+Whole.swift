extension Recipe {
    /// Checks what can't be checked for each field by itself.
    func checkWhole(_ reader: inout RecipeReader) {
        checkScheme(&reader)
        checkBucket(&reader)
        checkNames(&reader)
        checkSlices(&reader)
        checkSecrets(&reader)
        checkQueue(&reader)
        if kind == .s3, next != nil || more != nil {
            reader.problem(
                next != nil ? "next" : "more",
                "kind s3 goes by the bucket's own answers; leave this out"
            )
        }
        if kind.isStreamed {
            for name in ["next", "more", "total"] where reader.has(name) {
                reader.problem(
                    name,
                    "kind \(kind.rawValue) is one list that is read row by row; leave this out"
                )
            }
        }
        if kind == .sitemap, next != nil {
            reader.problem("next", "kind sitemap goes by its index; leave this out")
        }
        if more != nil, next == nil, !kind.isStreamed, kind != .s3 {
            reader.problem("more", "more needs next, which says where the next page is")
        }
        if mode == .lazy, kind.isStreamed {
            reader.problem("mode", "kind \(kind.rawValue) can't be lazy: it is one list")
        }
    }

    /// Refuses what only a daemon with the source and the documents can do.
    private func checkQueue(_ reader: inout RecipeReader) {
        guard queue == .fleet else { return }
        if refresh != .never {
            reader.problem("refresh", "other nodes have the documents with queue: fleet; leave this out")
        }
        if keep != .all {
            reader.problem("keep", "other nodes have the documents with queue: fleet; leave this out")
        }
        if s3?.credentials != nil {
            reader.problem(
                "s3.credentials",
                "the fleet's other nodes don't have this secret; with queue: fleet a bucket has to be public"
            )
        }
    }

    private func checkScheme(_ reader: inout RecipeReader) {
        let lists = [("slices.url", slices?.url), ("slices.slices.url", slices?.slices?.url)]
        for (field, template) in [("url", url)] + lists {
            guard let template else { continue }
            let wanted = kind == .s3 && field == "url" ? ["s3"] : ["http", "https"]
            // A base URL in a variable is checked when it is filled in.
            guard let scheme = scheme(of: template) else {
                if template.leading == nil {
                    reader.problem(
                        field,
                        "the URL must begin with \(wanted.map { $0 + "://" }.joined(separator: " or "))"
                    )
                }
                continue
            }
            if !wanted.contains(scheme) {
                let allowed = wanted.map { $0 + ":" }.joined(separator: " and ")
                reader.problem(
                    field,
                    "for kind \(kind.rawValue) this is a URL with \(allowed), not \(scheme):"
                )
            }
        }
    }

    /// Refuses what can't be a bucket; one whose name is a variable is seen when it is filled in.
    private func checkBucket(_ reader: inout RecipeReader) {
        guard kind == .s3, scheme(of: url) == "s3", url.names.isEmpty, S3Location(url.text) == nil else {
            return
        }
        reader.problem(
            "url",
            "the name of a bucket has 3 to 255 letters, digits, dots, dashes and underscores; write it like "
                + "s3://BUCKET/PREFIX"
        )
    }

    /// Returns the scheme, if the template or the variable that it begins with shows one.
    private func scheme(of template: URLTemplate) -> String? {
        let text =
            template.leading.flatMap { name in variables.first { $0.name == name }?.plain }
            ?? template.literalStart
        guard let end = text.range(of: "://") else { return nil }
        return text[..<end].lowercased()
    }

    /// Checks that every {variable} exists, and that the list of slices doesn't use those that it
    /// defines.
    private func checkNames(_ reader: inout RecipeReader) {
        let own = Set(variables.map(\.name))
        let outer = own.union(slices?.variables.map(\.name) ?? [])
        let all = own.union(sliceVariables.map(\.name))
        let used: [(String, URLTemplate, Set<String>)] =
            [("url", url, all)] + (slices.map { [("slices.url", $0.url, own)] } ?? [])
            + (slices?.slices.map { [("slices.slices.url", $0.url, outer)] } ?? [])
            + headers.compactMap { header in
                if case .text(let template) = header.value {
                    ("headers.\(header.name)", template, all)
                } else {
                    nil
                }
            }
        for (field, template, known) in used {
            let unknown = template.names.filter { !known.contains($0) }
            let sorted = unknown.isEmpty ? [] : known.sorted()
            for (index, name) in unknown.enumerated() {
                let nearest =
                    index < Spelling.mostMistakes ? Spelling.nearest(to: name, in: sorted) : nil
                let advice = nearest.map { "; did you mean {\($0)}?" } ?? ""
                reader.problem(field, "{\(name)} is not a variable of this recipe\(advice)")
            }
        }
    }

    private func checkSlices(_ reader: inout RecipeReader) {
        var product = 1
        for variable in variables {
            guard let texts = variable.slices else { continue }
            product *= texts.count
            if product > RecipeVariable.mostSlices {
                reader.problem(
                    "vars",
                    "the ranges come to more than \(RecipeVariable.mostSlices) walks; make them shorter"
                )
                return
            }
        }
        let ranges = Set(variables.filter { $0.slices != nil }.map(\.name))
        for (field, list) in [("slices.url", slices), ("slices.slices.url", slices?.slices)] {
            guard let list, list.url.names.contains(where: ranges.contains) else { continue }
            reader.problem(field, "a variable with a range can't stand here: the list of slices is read once")
        }
    }
}

extension StringProtocol {
    /// Returns the index of the first occurrence of another text.
    func range(of other: String) -> String.Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(other) { return index }
            index = self.index(after: index)
        }
        return nil
    }
}
