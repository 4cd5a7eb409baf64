import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/families: accounts that share purchases.
struct FamilyRoutes {
    private struct FamilyBody: RequestModel {
        var organizer: String
        var members: [String]?

        static let constraints: [String: Constraint] = ["organizer": .accountName, "members": .items(.accountName)]
    }

    private struct MemberBody: RequestModel {
        var account: String

        static let constraints: [String: Constraint] = ["account": .accountName]
    }

    private struct FamilyModel: AnswerModel {
        var id: String
        var organizer: String
        var members: [String]

        init(_ family: FamilySnapshot) {
            id = "\(family.id)"
            organizer = family.organizer
            members = family.members
        }
    }

    private struct List: AnswerModel { var families: [FamilyModel] }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("families", "All families") { (call: Call<NoBody>, context) in
            List(families: try await context.store.families.all().map { FamilyModel($0) })
        }
        routes.post("families", "Make a family", .created, errors: [409]) { (call: Call<FamilyBody>, context) in
            let body = try await call.body()
            return FamilyModel(
                try await context.store.families.make(organizer: body.organizer, members: body.members ?? []))
        }
        routes.get("families/:id", "A family") { (call: Call<NoBody>, context) in
            FamilyModel(try await context.store.families.family(try Self.id(context)))
        }
        routes.delete("families/:id", "Dissolve a family") { (call: Call<NoBody>, context) in
            try await context.store.families.dissolve(try Self.id(context))
            return NoContent()
        }
        routes.post("families/:id/members", "Add an account to a family", errors: [409]) {
            (call: Call<MemberBody>, context) in
            let id = try Self.id(context)
            return FamilyModel(try await context.store.families.add(try await call.body().account, to: id))
        }
        routes.delete("families/:id/members/:account", "Take an account out of a family", errors: [409]) {
            (call: Call<NoBody>, context) in
            let id = try Self.id(context)
            return FamilyModel(try await context.store.families.remove(context.name("account"), from: id))
        }
    }

    private static func id(_ context: ControlContext) throws -> Int64 {
        try context.namedNumber(orThrow: "familyNotFound", "a family is named by its number")
    }
}
