import Perennial
import PerennialConnect
import TestRandomness

/// An edit of a seller or of the store's reviewer, chosen at random. A rule may refuse it.
///
/// It does the same each time, because an edit may be decided twice.
struct RandomEdit: Sendable, CustomStringConvertible {
    enum Kind: CaseIterable {
        case createProduct, deleteProduct, rename, text, removeText, level, period, familySharing, note, taxCategory
        case availability, monthlyAvailability, screenshot, removeScreenshot, addContent, useContent, removeContent
        case createGroup, renameGroup, groupText, deleteGroup
        case price, addPrice, replaceSchedule, cancelPrice, withdrawPrice
        case introductory, promotional, promotionalPrices, code, oneTimeCode, winBack, endOffer
        case submit, submitGroup, startReview, approve, reject, withdraw, removeFromSale
        case promote, withdrawPromotion, reorderPromotions
    }

    let kind: Kind
    let seed: UInt64
    let now: Instant

    var description: String { "\(kind) on \(PacificDay(now))" }

    func make(on draft: CatalogDraft) throws {
        var choice = EditChoice(seed: seed, now: now, draft: draft)
        switch kind {
        case .createProduct, .deleteProduct, .rename, .text, .removeText, .level, .period, .familySharing, .note,
            .taxCategory, .availability, .monthlyAvailability, .screenshot, .removeScreenshot, .addContent, .useContent,
            .removeContent:
            try choice.editProduct(kind)
        case .createGroup, .renameGroup, .groupText, .deleteGroup: try choice.editGroup(kind)
        case .price, .addPrice, .replaceSchedule, .cancelPrice, .withdrawPrice: try choice.editPrices(kind)
        case .introductory, .promotional, .promotionalPrices, .code, .oneTimeCode, .winBack, .endOffer:
            try choice.editOffers(kind)
        case .submit, .submitGroup, .startReview, .approve, .reject, .withdraw, .removeFromSale:
            try choice.review(kind)
        case .promote, .withdrawPromotion, .reorderPromotions: try choice.promote(kind)
        }
    }
}

/// The random choices of one edit, and the draft that it changes.
struct EditChoice {
    static let app = EditedCatalog.app
    static let storefronts = ["USA", "DEU", "JPN", "KWT", "GBR"].map(Storefront.init(rawValue:))
    private static let texts = [
        "Coins", "yes", "1.0", "Münzen: 100 # of them", "- dash", "\"quoted\" \\ back", " spaces ", "{a: b}", "フィルム",
        "null", "a, b", "2027-01-01", "0x1F", "*star", "&anchor", "é",
    ]

    var random: SeededGenerator
    let now: Instant
    let draft: CatalogDraft

    init(seed: UInt64, now: Instant, draft: CatalogDraft) {
        (random, self.now, self.draft) = (SeededGenerator(seed: seed), now, draft)
    }

    var today: PacificDay { PacificDay(now) }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func flag() -> Bool { number(2) == 0 }
    mutating func text() -> String { Self.texts[number(Self.texts.count)] }
    mutating func one<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }
    mutating func name(_ prefix: String) -> String { "\(prefix)\(number(1000))" }
    mutating func storefront() -> Storefront { Self.storefronts[number(Self.storefronts.count)] }
    mutating func some() -> [Storefront] { Self.storefronts.filter { _ in number(2) == 0 } }
    mutating func day() -> PacificDay { today.adding(Int64(number(40)) - 3) }

    mutating func price(_ currency: Currency?) -> Money {
        PricePoint.point(at: number(200), in: currency ?? .usd).price
    }

    mutating func product(where isMeant: (CatalogProduct) -> Bool = { _ in true }) throws -> CatalogProduct? {
        one(try draft.products(try draft.productIDs(app: Self.app, renewing: nil)).filter(isMeant))
    }

    mutating func group() throws -> (key: String, group: SubscriptionGroup)? {
        guard let key = one(try draft.groupIDs(app: Self.app)) else { return nil }
        return try draft.group(key).map { (key, $0.group) }
    }
}

// MARK: - Products and groups

extension EditChoice {
    mutating func editProduct(_ kind: RandomEdit.Kind) throws {
        if kind == .createProduct { return try createProduct() }
        guard let found = try product() else { return }
        if try editParts(of: found, kind) { return }
        let (text, isChosen, index) = (text(), flag(), number(6))
        let (places, day) = (some(), number(1000))
        switch kind {
        case .deleteProduct: try draft.deleteProduct(found.appleID)
        case .text: try setText(of: found.appleID, in: ["en-US", "de-DE", "ja", "pt-BR"][number(4)])
        default:
            try draft.update(found.appleID) { product in
                switch kind {
                case .rename: try product.rename(text)
                case .removeText:
                    guard let known = product.currentVersion.localizations.first else { return }
                    try product.deleteLocalization(known.id, .first)
                case .level: try product.setLevel(Int64(index))
                case .period: try product.setPeriod(ProductValidation.offeredPeriods[index])
                case .familySharing: try product.setFamilyShareable(true)
                case .note: try product.setReviewNote(isChosen ? "\(text)\nand a line" : "")
                case .taxCategory: try product.setTaxCategory(isChosen ? text : nil)
                case .availability:
                    try product.changeAvailability(day % 3 == 0 ? nil : places, includesNew: isChosen)
                default: try product.setMonthlyAvailability(places, includesNew: isChosen)
                }
            }
        }
    }

    private mutating func createProduct() throws {
        let type = ProductType.allCases[number(ProductType.allCases.count)]
        var new = NewProduct(Product.ID(rawValue: name("com.example.p")), type, referenceName: text())
        new.groupID = type == .autoRenewable ? try group()?.group.id : nil
        if type == .autoRenewable, flag() { new.period = ProductValidation.offeredPeriods[number(6)] }
        new.reviewNote = flag() ? text() : nil
        _ = try draft.createProduct(new, app: Self.app)
    }

    mutating func setText(of appleID: Int64, in locale: String) throws {
        let (name, description) = (text(), flag() ? text() : nil)
        try draft.update(appleID) { product in
            if let known = product.currentVersion.localizations.first(where: { $0.locale == locale }) {
                try product.updateLocalization(known.id, .first) { ($0.name, $0.description) = (name, description) }
            } else {
                _ = try product.addLocalization(locale: locale) {
                    ListingLocalization(id: $0, locale: locale, name: name, description: description)
                }
            }
        }
    }

    /// - Returns: False for another kind of edit.
    private mutating func editParts(of found: CatalogProduct, _ kind: RandomEdit.Kind) throws -> Bool {
        let versions = found.listing.content?.versions.map(\.version) ?? []
        let (version, known) = (name("v"), one(versions) ?? "none")
        switch kind {
        case .screenshot: try setScreenshot(of: found.appleID)
        case .removeScreenshot: try found.listing.screenshot.map { try draft.deleteAsset($0.id) }
        case .addContent:
            try draft.update(found.appleID) {
                try $0.addContent(.init(version: version, fileName: "pack.zip", size: 12, sha256: "00ff"))
            }
        case .useContent: try draft.update(found.appleID) { try $0.useContent(known) }
        case .removeContent: try draft.update(found.appleID) { try $0.removeContent(known) }
        default: return false
        }
        return true
    }

    private func setScreenshot(of appleID: Int64) throws {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        let size: [UInt8] = [0, 0, 2, 0x80, 0, 0, 3, 0x98, 8, 6, 0, 0, 0]
        _ = try draft.putScreenshot(of: appleID, fileName: "shot.png", header + Array("IHDR".utf8) + size)
    }

    /// Gives a product all that its review needs.
    mutating func complete(_ found: CatalogProduct) throws {
        for part in found.missingMetadata {
            switch part {
            case .localization: try setText(of: found.appleID, in: "en-US")
            case .period: try draft.update(found.appleID) { try $0.setPeriod(.month) }
            case .price:
                let price = price(found.product.basePrice.currency)
                try draft.changePrice(of: found.appleID, PriceOrder(price), now: now)
            case .availability:
                let includesNew = flag()
                try draft.update(found.appleID) {
                    try $0.setAvailability(Storefront.all.map(\.storefront), includesNew: includesNew)
                }
            case .screenshot: try setScreenshot(of: found.appleID)
            }
        }
    }

    mutating func editGroup(_ kind: RandomEdit.Kind) throws {
        if kind == .createGroup {
            _ = try draft.createGroup("\(text()) \(number(1000))", app: Self.app)
            return
        }
        guard let (key, _) = try group() else { return }
        switch kind {
        case .renameGroup: try draft.renameGroup(key, "\(text()) \(number(1000))")
        case .deleteGroup: try draft.deleteGroup(key)
        default:
            let (locale, name, app) = (["en-US", "de-DE", "ja"][number(3)], text(), flag() ? text() : nil)
            try draft.update(group: key) { group in
                if let known = group.currentVersion.localizations.first(where: { $0.locale == locale }) {
                    try group.updateLocalization(known.id, .first) { ($0.name, $0.customAppName) = (name, app) }
                } else {
                    _ = try group.addLocalization(locale: locale) {
                        GroupLocalization(id: $0, locale: locale, name: name, customAppName: app)
                    }
                }
            }
        }
    }
}

// MARK: - Review and promotion

extension EditChoice {
    mutating func review(_ kind: RandomEdit.Kind) throws {
        switch kind {
        case .submit:
            guard let found = try product() else { return }
            if number(4) > 0 { try complete(found) }
            let version = try draft.product(found.appleID)?.currentVersion.id ?? ""
            _ = try draft.submitForReview(.product(found.appleID, version: version))
        case .submitGroup:
            guard let (key, group) = try group() else { return }
            _ = try draft.submitForReview(.group(key, version: group.currentVersion.id))
        case .removeFromSale:
            guard let found = try product() else { return }
            let isRemoved = flag()
            try draft.update(found.appleID) { try $0.setRemovedFromSale(isRemoved) }
        default:
            guard let submission = one(try draft.openSubmissions(limit: 50))?.id else { return }
            switch kind {
            case .startReview: try draft.startReview(submission)
            case .approve: try draft.decide(submission, rejection: nil)
            case .reject: try draft.decide(submission, rejection: text())
            default: try draft.cancelSubmission(submission)
            }
        }
    }

    mutating func promote(_ kind: RandomEdit.Kind) throws {
        switch kind {
        case .promote:
            guard let found = try product() else { return }
            _ = try draft.promote(
                found.appleID, app: Self.app, isVisible: flag(), isEnabled: [true, false, nil][number(3)])
        case .withdrawPromotion:
            guard let found = try product(where: { $0.listing.promotion != nil }) else { return }
            try draft.withdrawPromotion(found.listing.promotion?.id ?? "")
        default:
            let order = try draft.promotedProducts(app: Self.app).shuffled(using: &random)
            try draft.reorderPromotions(order, app: Self.app)
        }
    }
}
