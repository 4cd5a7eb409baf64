import Perennial
import PerennialConnect

/// The offer that a link or a form names: by its ID, an introductory one by its first day and one of its storefronts.
struct OfferReference: Sendable {
    var kind: CatalogOfferKind
    /// Empty for introductory offers.
    var id: String
    /// `nil` for an introductory offer of all storefronts.
    var storefront: Storefront?
    var starts: PacificDay?

    init(_ offer: ListedOffer) {
        (kind, id, starts) = (offer.kind, offer.id ?? "", offer.starts)
        storefront = offer.storefronts.flatMap { $0.min { $0.rawValue < $1.rawValue } }
    }

    /// Reads the reference of a form or a query.
    ///
    /// - Throws: ``ConsoleError`` `.notFound` for one that names no offer.
    init(_ value: (String) -> String) throws {
        guard let kind = CatalogOfferKind(rawValue: value("kind")) else {
            throw ConsoleError.notFound(.phrase(OfferPhrases.noSuchOffer))
        }
        (self.kind, id, starts) = (kind, value("offer"), PacificDay(value("starts")))
        let place = value("place")
        storefront = place.isEmpty ? nil : Storefront(rawValue: place)
    }

    /// The parameters of a link.
    var query: KeyValuePairs<String, String> {
        [
            "kind": kind.rawValue, "offer": id, "place": storefront?.rawValue ?? "",
            "starts": starts?.description ?? "",
        ]
    }

    var fields: [Field] { query.map { .hidden($0.key, $0.value) } }

    /// The offer's name at the command line and in the control API.
    var commandName: String { kind == .introductory ? storefront?.rawValue ?? "all" : id }

    /// Returns the offer as the list has it.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`.
    func listed(among found: FoundProduct) throws -> ListedOffer {
        let offers = ListedOffer.all(of: found.product, in: found.app.defaultStorefront)
        let match = offers.first { offer in
            guard offer.kind == kind else { return false }
            guard kind == .introductory else { return offer.id == id }
            return offer.starts == starts && offer.has(storefront)
        }
        guard let match else { throw ConsoleError.notFound(.phrase(OfferPhrases.noSuchOffer)) }
        return match
    }
}

extension ListedOffer {
    /// True for an offer of a storefront, or of all of them for `nil`.
    func has(_ storefront: Storefront?) -> Bool {
        guard let storefront else { return storefronts == nil }
        return storefronts?.contains(storefront) == true
    }
}
