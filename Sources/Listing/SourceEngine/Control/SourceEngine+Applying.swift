import JobEngine
import JobModel
import SourceCore

/// Adding sources, and applying other recipes to them.
extension SourceEngine {
    public func check(_ order: RecipeOrder) async throws(SourceRefusal) -> CheckedRecipe {
        try await inTime { () async throws(SourceRefusal) in
            try await self.checked(try await self.parts.read(order), order)
        }
    }

    public func apply(
        _ checked: CheckedRecipe
    ) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool) {
        let (read, order) = (checked.read, checked.order)
        let result: Result<(source: SourceSnapshot, isNew: Bool), SourceRefusal> = await registry.change {
            do throws(SourceRefusal) {
                return .success(try await self.apply(read, order))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Makes sure that a recipe can be used, and that who orders it may.
    func checked(_ read: ReadRecipe, _ order: RecipeOrder) async throws(SourceRefusal) -> CheckedRecipe {
        let recipe = read.recipe
        if let name = order.name, name != recipe.name { throw .otherName(recipe.name) }
        guard order.maySeeSecrets || recipe.secrets.isEmpty else { throw .secretNotAllowed(recipe.secrets) }
        let lists = [false, true].map { ListerProgram(slicesOf: recipe, isNested: $0) }
        for program in ([ListerProgram(recipe)] + lists).compactMap(\.self) {
            switch await parts.reader.problems(of: program, for: order.asker) {
            case .success(let problems) where problems.isEmpty: break
            case .success(let problems):
                throw .badRecipe(problems.map { RecipeProblem($0.field, $0.message) })
            case .failure(let failure):
                throw .page(SourceFailure(.readerCrashed, failure.message))
            }
        }
        return CheckedRecipe(read: read, order: order)
    }

    private func apply(
        _ read: ReadRecipe,
        _ order: RecipeOrder
    ) async throws(SourceRefusal) -> (source: SourceSnapshot, isNew: Bool) {
        let recipe = read.recipe
        guard let runner = registry[recipe.name] else {
            guard !unread.contains(recipe.name) else { throw .page(Self.unread(recipe.name)) }
            if let refused = unread.refused(recipe.name) {
                return (try await replace(refused, read, order), false)
            }
            return (try await add(read, order), true)
        }
        if case .new = order.target { throw .nameTaken(recipe.name) }
        let before = runner.snapshot.withLock { $0 }
        // Its jobs would have the secrets of a later recipe of this name.
        guard order.maySeeSecrets || before.recipe.secrets.isEmpty else { throw .hasSecrets(recipe.name) }
        if !before.recipe.isOfSameList(as: recipe), order.reset == nil { throw .needsReset(recipe.name) }
        if before.recipe == recipe, before.recipeText == order.text, before.file == order.file,
            order.reset == nil
        {
            return (before, false)
        }
        do throws(ControlError) {
            let request = SourceRunner.Request.change(read, file: order.file, reset: order.reset)
            return (try await runner.perform(request), false)
        } catch {
            throw .control(error)
        }
    }

    private static func unread(_ name: String) -> SourceFailure {
        SourceFailure(
            .readerCrashed,
            "there is a source \(name) already, whose recipe could not be read yet; try again in a minute"
        )
    }

    /// Puts a recipe in the place of a stored one that is refused.
    ///
    /// Nobody knows whether its list is the same. So it begins with its first page, and what was fetched stays known
    /// unless somebody wants it otherwise.
    private func replace(
        _ refused: UnreadSources.Refused,
        _ read: ReadRecipe,
        _ order: RecipeOrder
    ) async throws(SourceRefusal) -> SourceSnapshot {
        let name = read.recipe.name
        if case .new = order.target { throw .nameTaken(name) }
        guard order.maySeeSecrets || !refused.mayNameSecrets else { throw .mayHaveSecrets(name) }
        let before = StoredSource(text: refused.row.state)
        var stored = StoredSource(
            createdAt: before?.createdAt ?? parts.now().wall.microseconds,
            file: order.file,
            recipe: read.answer
        )
        stored.isForgetting = before?.isForgetting == true || order.reset == .keys
        let source = try await keep(read, stored, as: refused.row.id, forgetting: .slices)
        unread.remove(name)
        return source
    }

    private func add(_ read: ReadRecipe, _ order: RecipeOrder) async throws(SourceRefusal) -> SourceSnapshot {
        let stored = StoredSource(
            createdAt: parts.now().wall.microseconds,
            file: order.file,
            recipe: read.answer
        )
        return try await keep(read, stored, as: registry.nextID(), forgetting: .nothing)
    }

    /// Stores a source that isn't running, and begins to run it.
    private func keep(
        _ read: ReadRecipe,
        _ stored: StoredSource,
        as id: Int64,
        forgetting: SourceWrite.Forgetting
    ) async throws(SourceRefusal) -> SourceSnapshot {
        let runner = SourceRunner(id: id, recipe: read, stored: stored, parts: parts)
        let row = SourceRow(id: id, name: read.recipe.name, recipe: read.text, state: stored.text)
        var write = SourceWrite(row)
        write.forgets = forgetting
        do throws(ControlError) {
            try await parts.control.keep(write)
        } catch {
            throw .control(error)
        }
        registry.run(runner)
        return runner.snapshot.withLock { $0 }
    }
}
