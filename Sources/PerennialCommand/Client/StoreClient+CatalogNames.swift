/// The names of the catalog, for errors about unknown ones.
extension StoreClient {
    private struct Products: Decodable {
        struct Product: Decodable { var productId: String }
        var products: [Product]
        var next: String?
    }

    private struct Groups: Decodable {
        struct Group: Decodable {
            var groupId: String
            var name: String
        }

        var groups: [Group]
    }

    private struct Offers: Decodable {
        struct Offer: Decodable { var offerId: String? }
        var offers: [Offer]
    }

    /// The most products that are searched for similar names.
    private static let maximumProducts = 2000

    func catalogProductIDs(of app: String?) async throws -> [String] {
        let path = try await catalogPath(app)
        var (found, after): ([String], String?) = ([], "0")
        while let position = after, found.count < Self.maximumProducts {
            let answer: StoreAnswer<Products> = try await at(.production).get("\(path)/products?after=\(position)")
            found += answer.value.products.map(\.productId)
            after = answer.value.next
        }
        return found
    }

    /// Returns the IDs and the reference names of an app's subscription groups.
    func groupNames(of app: String?) async throws -> [String] {
        let answer: StoreAnswer<Groups> = try await at(.production).get("\(try await catalogPath(app))/groups")
        return answer.value.groups.flatMap { $0.groupId == $0.name ? [$0.name] : [$0.name, $0.groupId] }
    }

    func offerIDs(of product: String, of app: String?) async throws -> [String] {
        let path = "\(try await catalogPath(app))/products/\(product.percentEncoded)/offers"
        let answer: StoreAnswer<Offers> = try await at(.production).get(path)
        return answer.value.offers.compactMap(\.offerId)
    }

    private func catalogPath(_ app: String?) async throws -> String {
        "control/v1/apps/\(try await self.app(app).percentEncoded)/catalog"
    }
}
