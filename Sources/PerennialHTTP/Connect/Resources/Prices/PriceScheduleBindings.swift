import Perennial
import PerennialConnect

/// Bindings of price schedules and their rows. The schedule of a product or app has its ID.
enum PriceScheduleBindings {
    static let all: [ConnectBinding] =
        schedules(products) + schedules(apps) + [
            schedule(of: "inAppPurchases", "iapPriceSchedule", .inAppPurchase),
            schedule(of: "apps", "appPriceSchedule", .app),
        ]

    /// The names of a schedule's resources.
    private struct Names: Sendable {
        var type: String
        var rows: String
        var point: String
        var owner: String
        var kind: PricedItem.Kind
    }

    private static let products = Names(
        type: "inAppPurchasePriceSchedules", rows: "inAppPurchasePrices", point: "inAppPurchasePricePoint",
        owner: "inAppPurchase", kind: .inAppPurchase)
    private static let apps = Names(
        type: "appPriceSchedules", rows: "appPrices", point: "appPricePoint", owner: "app", kind: .app)

    private static func schedule(of type: String, _ name: String, _ kind: PricedItem.Kind) -> ConnectBinding {
        var addition = ConnectBinding.addition(to: type)
        addition.related[name] = { id, at in
            try at.pricedItem(connectID: id, kind)?.timeline == nil ? .none : .one(id)
        }
        return addition
    }

    private static func schedules(_ names: Names) -> [ConnectBinding] {
        var schedule = ConnectBinding(type: names.type) { id, at in
            try at.pricedItem(connectID: id, names.kind)?.timeline.map { _ in [:] }
        }
        schedule.related = [
            "baseTerritory": { id, at in
                .optional(try at.pricedItem(connectID: id, names.kind)?.timeline?.base.rawValue)
            },
            "manualPrices": { id, at in try rows(of: id, names, isManual: true, at) },
            "automaticPrices": { id, at in try rows(of: id, names, isManual: false, at) },
        ]
        if names.kind == .app { schedule.related["app"] = { id, _ in .one(id) } }
        schedule.parent = names.owner
        schedule.content = { id, at in
            guard let item = try at.pricedItem(connectID: id, names.kind) else { return [] }
            let rows = item.rows(at: at.now) { $0.interval.isManual }
            return [item.timeline?.base.rawValue ?? ""] + rows.map { item.id(of: $0) }
        }
        schedule.create = { entity, at in try replace(names, entity, at) }
        schedule.app = { id, at in try Int64(connectID: id).flatMap { try at.catalog.app(ofPriced: $0) } }

        var row = ConnectBinding(type: names.rows) { id, at in
            guard let row = try self.row(id, names, at) else { return nil }
            return [
                "startDate": .date(row.startDay), "endDate": .date(row.endDay), "manual": .bool(row.interval.isManual),
            ]
        }
        row.related = [
            names.point: { id, _ in .optional(PriceRowID(id)?.point.text) },
            "territory": { id, _ in .optional(PriceRowID(id)?.point.storefront.rawValue) },
        ]
        row.app = { id, at in try PriceRowID(id).flatMap { try at.catalog.app(ofPriced: $0.point.owner) } }
        return [schedule, row]
    }

    private static func row(_ id: String, _ names: Names, _ at: ConnectReading) throws -> PricedItem.Row? {
        guard let id = PriceRowID(id), id.plan == .upfront else { return nil }
        return try at.pricedItem(id.point.owner, names.kind)?.row(id, at: at.now)
    }

    private static func rows(
        of id: String, _ names: Names, isManual: Bool, _ at: ConnectReading
    ) throws -> ConnectRelated {
        guard let item = try at.pricedItem(connectID: id, names.kind) else { return .many([]) }
        let rows = item.rows(in: at.filter("territory"), at: at.now) { $0.interval.isManual == isManual }
        return .many(ConnectIDs(count: rows.count) { item.id(of: rows[$0]) }.applied("territory"))
    }

    // MARK: Editing

    private static func replace(_ names: Names, _ entity: ConnectEntity, _ at: ConnectEditing) throws -> String {
        let isApp = names.kind == .app
        let id =
            isApp
            ? try at.app(entity, names.owner) : try at.product(entity, names.owner, renews: false)
        guard let item = try at.catalog.pricedItem(id), item.kind == names.kind else {
            throw entity.unknownRelated(names.owner)
        }
        guard let base = Storefront(connectID: try entity.requiredOne("baseTerritory")) else {
            throw entity.unknownRelated("baseTerritory")
        }
        let prices = try entity.inline("manualPrices").map { row in
            if let other = row.one("inAppPurchaseV2"), other != String(id) {
                throw row.unknownRelated("inAppPurchaseV2")
            }
            let point = try row.pricePoint(names.point, of: item)
            return ManualPrice(
                index: row.index ?? 0, storefront: point.storefront, price: point.price,
                start: try row.day("startDate"),
                end: try row.day("endDate"))
        }
        if isApp {
            try at.catalog.replacePriceSchedule(ofApp: id, prices, base: base, now: at.now)
        } else {
            try at.catalog.replacePriceSchedule(of: id, prices, base: base, now: at.now)
        }
        return String(id)
    }
}

extension ConnectEntity {
    /// Returns the price point that a relationship names.
    ///
    /// - Throws: ``ConnectFailure`` 409 without one, and for a point of another product.
    func pricePoint(_ relationship: String, of item: PricedItem) throws -> PricePointID {
        guard let point = PricePointID(try requiredOne(relationship)), item.mayCost(point) else {
            throw unknownRelated(relationship)
        }
        return point
    }
}
