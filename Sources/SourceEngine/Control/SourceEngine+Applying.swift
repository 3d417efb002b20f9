import JobCore
import JobEngine
import ListerProtocol
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
        for program in [ListerProgram(recipe), ListerProgram(slicesOf: recipe)].compactMap(\.self) {
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
            let reset: SourceRunner.Reset? =
                switch order.reset {
                case nil: nil
                case .cursor?: .cursor
                case .keys?: .keys
                }
            let request = SourceRunner.Request.change(read, file: order.file, reset: reset)
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

    private func add(_ read: ReadRecipe, _ order: RecipeOrder) async throws(SourceRefusal) -> SourceSnapshot {
        let id = registry.nextID()
        var stored = StoredSource(createdAt: parts.now().wall.microseconds, file: order.file)
        stored.recipe = read.answer
        let runner = SourceRunner(id: id, recipe: read, stored: stored, parts: parts)
        let row = SourceRow(id: id, name: read.recipe.name, recipe: read.text, state: stored.text)
        do throws(ControlError) {
            try await parts.control.keep(SourceWrite(row))
        } catch {
            throw .control(error)
        }
        registry.run(runner)
        return runner.snapshot.withLock { $0 }
    }
}
