import Perennial
import PerennialConnect

/// A product as its seller sees it, in the answers of control/v1.
struct CatalogProductModel: AnswerModel {
    var productId: String
    /// The product's ID in the App Store Connect API.
    var appleId: String
    var type: String
    var name: String
    /// App Store Connect's word.
    var state: String
    /// The parts that the product lacks before it can be submitted.
    var missing: [String]
    var rejectionReason: String?
    var reviewNote: String?
    var taxCategory: String?
    var familyShareable: Bool
    var clearedForSale: Bool
    /// Missing if the product is sold in all storefronts.
    var storefronts: [String]?
    var includesNewStorefronts: Bool
    var price: Int64?
    var currency: String
    var groupId: String?
    var level: Int?
    var period: String?
    /// The version of the texts: the draft, if there is one.
    var version: Int
    var versionState: String
    var localizations: [CatalogFields.Text]
    /// The number that a change may expect.
    var revision: Int64

    static let constraints: [String: Constraint] = [
        "type": .oneOf(ProductType.self), "state": .oneOf(ProductListingState.self),
        "missing": .items(.oneOf(MissingMetadata.self)),
        "price": .described("The base price in thousandths; missing if there is none"),
        "versionState": .oneOf(MetadataVersion.State.self),
    ]

    init(_ found: CatalogProduct) {
        let (product, version) = (found.product, found.currentVersion)
        (productId, appleId) = (product.id.rawValue, String(product.appleID))
        (type, name) = (product.type.rawValue, product.referenceName)
        state = found.listingState.rawValue
        missing = product.state == .readyToSubmit ? found.missingMetadata.map(\.rawValue) : []
        (rejectionReason, reviewNote) = (found.listing.rejectionReason, found.listing.reviewNote)
        taxCategory = found.listing.taxCategory
        (familyShareable, clearedForSale) = (product.isFamilyShareable, product.isClearedForSale)
        storefronts = product.availability.map { $0.storefronts.map(\.rawValue).sorted() }
        includesNewStorefronts = product.availability?.includesNew ?? true
        price = product.isPriced ? product.basePrice.milliunits : nil
        currency = product.basePrice.currency.rawValue
        (groupId, level) = (product.subscription?.groupID, product.subscription?.level)
        period = product.subscription.flatMap { $0.hasPeriod ? $0.period.iso8601 : nil }
        (self.version, versionState) = (version.number, version.state.rawValue)
        localizations = version.localizations.map {
            CatalogFields.Text(locale: $0.locale, name: $0.name, description: $0.description)
        }
        revision = found.revision
    }
}

/// A page of products.
struct CatalogProductsAnswer: AnswerModel {
    var products: [CatalogProductModel]
    /// The ID to go on after; missing on the last page.
    var next: String?
}
