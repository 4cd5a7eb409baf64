import Perennial
import PerennialStore

/// Actions of families. A number picks a family by its place in the list of families.
extension Deployment {
    func foundFamily(_ action: SimulatedAction, _ person: SimulatedAction.Person) async throws -> Operation {
        _ = try await customer(person)
        return Operation(action) {
            _ = try await $0.store().families.make(organizer: Self.accountName(person), members: [])
            return .done
        }
    }

    func joinFamily(_ action: SimulatedAction, _ person: SimulatedAction.Person, _ pick: Int) async throws -> Operation?
    {
        _ = try await customer(person)
        guard let family = try await actingNode.store().families.all().picked(pick) else { return nil }
        return Operation(action) {
            _ = try await $0.store().families.add(Self.accountName(person), to: family.id)
            return .done
        }
    }

    func leaveFamily(_ action: SimulatedAction, _ person: SimulatedAction.Person) async throws -> Operation? {
        let name = Self.accountName(person)
        let families = try await actingNode.store().families.all()
        guard let family = families.first(where: { $0.organizer == name || $0.members.contains(name) }) else {
            return nil
        }
        return Operation(action) {
            if family.organizer == name {
                try await $0.store().families.dissolve(family.id)
            } else {
                _ = try await $0.store().families.remove(name, from: family.id)
            }
            return .done
        }
    }
}
