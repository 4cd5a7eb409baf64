import Perennial

/// Bindings of `territories`: the storefronts.
enum TerritoryBindings {
    static let all: [ConnectBinding] = [territories]

    private static var territories: ConnectBinding {
        var binding = ConnectBinding(type: "territories") { id, _ in
            Storefront(connectID: id)?.currency.map { ["currency": .text($0.rawValue)] }
        }
        binding.list = { _ in
            let all = Storefront.all
            return ConnectIDs(count: all.count) { all[$0].storefront.rawValue }
        }
        binding.followsFromCatalog = true
        return binding
    }
}

extension Storefront {
    /// Returns the storefront of a territory's ID; `nil` for a code that the App Store doesn't have.
    init?(connectID id: String) {
        self.init(rawValue: id)
        guard info != nil, rawValue == id else { return nil }
    }
}
