import Perennial
import PerennialStore

/// Who founds a family, joins one and leaves it. Families are named by the place they have among those there are.
extension World {
    func foundFamily(_ action: Action, _ person: Action.Person) async throws -> Operation {
        _ = try await customer(person)
        return Operation(action) {
            _ = try await $0.store().makeFamily(organizer: Self.accountName(person), members: [])
            return .done
        }
    }

    func joinFamily(_ action: Action, _ person: Action.Person, _ pick: Int) async throws -> Operation? {
        _ = try await customer(person)
        guard let family = try await actingNode.store().families().picked(pick) else { return nil }
        return Operation(action) {
            _ = try await $0.store().addFamilyMember(Self.accountName(person), to: family.id)
            return .done
        }
    }

    func leaveFamily(_ action: Action, _ person: Action.Person) async throws -> Operation? {
        let name = Self.accountName(person)
        let families = try await actingNode.store().families()
        guard let family = families.first(where: { $0.organizer == name || $0.members.contains(name) }) else {
            return nil
        }
        return Operation(action) {
            if family.organizer == name {
                try await $0.store().dissolveFamily(family.id)
            } else {
                _ = try await $0.store().removeFamilyMember(name, from: family.id)
            }
            return .done
        }
    }
}
