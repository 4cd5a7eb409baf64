import Foundation
import HTTPTypes
import Hummingbird
import PerennialStore

/// control/v1/families: who shares purchases with whom.
struct FamilyRoutes {
    private struct NewFamily: Decodable {
        var organizer: String
        var members: [String]?
    }

    private struct Member: Decodable { var account: String }

    private struct FamilyModel: Encodable {
        var id: String
        var organizer: String
        var members: [String]

        init(_ family: FamilyStanding) {
            id = "\(family.id)"
            organizer = family.organizer
            members = family.members
        }
    }

    private struct List: Encodable { var families: [FamilyModel] }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/families") { request, context in
            let store = try await control.authorized(request, context)
            return try JSONResponse.make(List(families: try await store.families().map(FamilyModel.init)))
        }
        router.post("control/v1/families") { request, context in
            let store = try await control.authorized(request, context)
            let body = try await request.controlJSON(NewFamily.self)
            let made = try await store.makeFamily(organizer: body.organizer, members: body.members ?? [])
            return try JSONResponse.make(FamilyModel(made), status: .created)
        }
        router.get("control/v1/families/:id") { request, context in
            let (store, id) = try await family(request, context)
            return try JSONResponse.make(FamilyModel(try await store.family(id)))
        }
        router.delete("control/v1/families/:id") { request, context in
            let (store, id) = try await family(request, context)
            try await store.dissolveFamily(id)
            return Response(status: .noContent)
        }
        router.post("control/v1/families/:id/members") { request, context in
            let (store, id) = try await family(request, context)
            let body = try await request.controlJSON(Member.self)
            return try JSONResponse.make(FamilyModel(try await store.addFamilyMember(body.account, to: id)))
        }
        router.delete("control/v1/families/:id/members/:account") { request, context in
            let (store, id) = try await family(request, context)
            let name = context.parameters.get("account")?.removingPercentEncoding ?? ""
            return try JSONResponse.make(FamilyModel(try await store.removeFamilyMember(name, from: id)))
        }
    }

    private func family(_ request: Request, _ context: some RequestContext) async throws -> (Store, Int64) {
        let store = try await control.authorized(request, context)
        guard let id = context.parameters.get("id").flatMap({ Int64($0) }) else {
            throw APIError(.notFound, "familyNotFound", "a family is named by its number")
        }
        return (store, id)
    }
}
