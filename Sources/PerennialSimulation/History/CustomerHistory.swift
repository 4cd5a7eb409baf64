import Perennial

/// The invented life of one customer with an app.
struct CustomerHistory {
    private static let storefronts: [(Storefront, Int)] = [
        ("USA", 36), ("GBR", 10), ("DEU", 10), ("JPN", 9), ("CAN", 8), ("FRA", 7), ("AUS", 6), ("ITA", 5), ("BRA", 5),
        ("KOR", 4),
    ].map { (Storefront(rawValue: $0.0), $0.1) }
    private static let families: [(DeviceFamily, Int)] = [
        (.iPhone, 62), (.iPad, 20), (.desktop, 10), (.appleTV, 3), (.appleWatch, 2), (.iPodTouch, 2),
        (.appleVision, 1),
    ]
    /// The hours of a day (UTC) at which customers act.
    private static let hours: [(Int, Int)] = [(2, 20), (9, 15), (15, 25), (20, 40)]

    let number: Int
    let joins: Int
    let releases: [HistoryPlan.Release]
    let plan: HistoryPlan
    var random: SeededRandom
    private(set) var steps: [HistoryStep] = []
    private var devices: [(device: HistoryDevice, since: Int)] = []
    /// The first day on which the customer doesn't use the app any more.
    private var leaves: Int

    init(number: Int, joins: Int, releases: [HistoryPlan.Release], plan: HistoryPlan, seed: UInt64) {
        self.number = number
        self.joins = joins
        self.releases = releases
        self.plan = plan
        random = SeededRandom(seed: seed)
        leaves = plan.days
    }

    mutating func live() {
        // A tenth of those who are left lose interest each month.
        var day = joins + 30
        while day < plan.days, !random.chance(10) { day += 30 }
        leaves = max(joins + 7, min(day, plan.days))
        add(.join(random.pick(weighted: Self.storefronts)), on: joins, hour: Self.hours[0].0)
        addDevices()
        buyConsumables()
        buyOthers()
        if !plan.catalog.subscriptions.isEmpty, random.chance(45) {
            var subscriber = SubscriberHistory(customer: self)
            subscriber.live()
            self = subscriber.customer
        }
    }

    // MARK: - Devices

    private mutating func addDevices() {
        let count = random.pick(weighted: [(1, 70), (2, 25), (3, 5)])
        for place in 0..<count {
            let device = HistoryDevice(id: random.uuid(), family: random.pick(weighted: Self.families))
            let since = place == 0 ? joins : joins + 1 + random.below(120)
            guard since < leaves else { continue }
            devices.append((device, since))
            add(.download(device, version: version(on: since)), on: since, hour: place == 0 ? Self.hours[0].0 : nil)
        }
        for release in releases {
            for (device, since) in devices where release.day > since {
                // Most devices update within days; some skip a version.
                let day = release.day + min(random.below(14), random.below(14))
                guard random.chance(85), day < leaves else { continue }
                add(.download(device, version: version(on: day)), on: day)
            }
        }
    }

    /// Returns the newest version of the app on a day.
    func version(on day: Int) -> String { releases.last { $0.day <= day }?.version ?? "1.0" }

    /// Returns one of the devices that the customer has on a day: usually the first.
    mutating func device(on day: Int) -> HistoryDevice {
        let present = devices.filter { $0.since <= day }
        guard let first = present.first ?? devices.first else { return HistoryDevice(id: "", family: .iPhone) }
        return random.chance(75) ? first.device : random.pick(present.isEmpty ? devices : present).device
    }

    // MARK: - Purchases

    private mutating func buyConsumables() {
        guard !plan.catalog.consumables.isEmpty else { return }
        // Purchases in ten thousand ordinary days.
        let rate = random.pick(weighted: [(0, 55), (150, 33), (700, 10), (2500, 2)])
        guard rate > 0 else { return }
        for day in joins..<leaves where random.below(1_000_000) < rate * plan.demand(on: day) {
            let quantity = random.pick(weighted: [(1, 80), (2, 12), (3, 5), (5, 3)])
            buy(random.pick(plan.catalog.consumables), quantity: quantity, on: day)
            if random.chance(2) { add(.refundPurchase, on: day + 1 + random.below(10)) }
        }
    }

    private mutating func buyOthers() {
        for (products, percent) in [
            (plan.catalog.nonConsumables, 25), (plan.catalog.nonConsumables, 6), (plan.catalog.nonRenewing, 12),
            (plan.catalog.nonRenewing, 4), (plan.catalog.free, 12),
        ] where !products.isEmpty && random.chance(percent) {
            let day = joins + min(random.below(90), random.below(90))
            guard day < leaves else { continue }
            buy(random.pick(products), on: day)
            if random.chance(3) { add(.refundPurchase, on: day + 1 + random.below(10)) }
        }
    }

    private mutating func buy(_ product: String, quantity: Int = 1, on day: Int) {
        let device = device(on: day)
        add(.buy(product: product, quantity: quantity, device, version: version(on: day)), on: day)
    }

    /// Adds a step, at a random hour unless one is given.
    mutating func add(_ action: HistoryAction, on day: Int, hour: Int? = nil) {
        // The first hour is for joining, so that nothing happens before it.
        let hour = hour ?? random.pick(weighted: Self.hours.dropFirst().map { ($0.0, $0.1) })
        let at = plan.start + .days(Int64(day)) + .hours(Int64(hour))
        steps.append(HistoryStep(at: at, customer: number, action: action))
    }
}
