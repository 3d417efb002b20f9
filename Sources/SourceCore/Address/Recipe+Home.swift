extension Recipe {
    /// Returns the source's own origin, to which alone its secrets go; nil if that can't be told.
    ///
    /// A list of slices, and a picture, are asked for without the variables of a slice. Those may stand
    /// anywhere in the URL but where they decide about the origin.
    public func home(_ variables: Variables) -> Origin? {
        let missing = url.names.filter { name in (try? variables.text(name)) == nil }
        let origins = ["0", "1"].map { text in
            (try? url.filled(variables.adding(missing, text))).flatMap { Origin(URLReference($0)) }
        }
        return origins[0] == origins[1] ? origins[0] : nil
    }
}
