/// The markup of tables, figures, facts, timelines, checks and charts.
enum ListTemplates {
    static let all: [String: String] = [
        "table": table, "row": row, "figures": figures, "facts": facts, "fact": fact, "timeline": timeline,
        "checks": checks, "chart": chart, "live": live, "live-row": liveRow, "order": order, "pages": pages,
    ]

    private static let table = """
        <div class="table{{#.isHeat}} heatmap{{/.isHeat}}" tabindex="0" role="group" aria-label="{{.caption}}">\
        <table><caption class="hidden">{{.caption}}</caption>\
        <thead><tr>{{#.columns}}<th scope="col"{{#.class}} class="{{.}}"{{/.class}}>{{.title}}{{>definition}}</th>\
        {{/.columns}}\
        {{#.hasMore}}<th scope="col"><span class="hidden">{{.actionsLabel}}</span></th>{{/.hasMore}}</tr></thead>
        <tbody>{{#.rows}}{{>row}}{{/.rows}}</tbody></table></div>
        {{>pages}}
        """
    /// The links to the first and the next page of a list.
    private static let pages = """
        {{#.hasPages}}<nav class="pages" aria-label="{{.pagesLabel}}">{{#.first}}<a class="button" href="{{.path}}">\
        {{.text}}</a>{{/.first}}{{#.next}}<a class="button" href="{{.path}}" rel="next">{{.text}}</a>{{/.next}}</nav>\
        {{/.hasPages}}
        """
    private static let row = """
        <tr{{#.class}} class="{{.}}"{{/.class}}>{{#.cells}}{{>*.template}}{{/.cells}}{{#.hasMore}}<td class="acts">\
        {{#.actions}}{{>*.template}}{{/.actions}}\
        {{#.details}}<input type="checkbox" class="opener" aria-label="{{.label}}">{{/.details}}</td>{{/.hasMore}}\
        </tr>\
        {{#.details}}<tr class="more"><td colspan="{{.span}}">{{#.blocks}}{{>*.template}}{{/.blocks}}</td></tr>\
        {{/.details}}

        """

    private static let figures = """
        <dl class="figures">{{#.figures}}<div><dt>{{.name}}{{>definition}}</dt><dd><span class="figure">{{#.isLink}}\
        <a href="{{.path}}">{{/.isLink}}{{>text}}{{#.isLink}}</a>{{/.isLink}}</span>\
        {{#.change}}<span class="change {{.class}}">{{.text}}<span class="hidden"> {{.words}}</span></span>\
        {{/.change}}\
        {{#.others}}<span class="others">{{.}}</span>{{/.others}}\
        {{#.spark}}<svg class="spark" viewBox="0 0 96 24" preserveAspectRatio="none" aria-hidden="true"><polyline class="s1"\
         points="{{.}}"/></svg>{{/.spark}}</dd></div>{{/.figures}}</dl>

        """

    private static let facts = """
        <dl class="facts">{{#.facts}}{{>*.template}}{{/.facts}}</dl>

        """

    /// A fact that has no template of ``CellTemplates``.
    private static let fact = """
        <div><dt>{{.name}}{{>definition}}</dt><dd{{#.title}} title="{{.}}"{{/.title}}>{{>value}}</dd></div>
        """

    private static let timeline = """
        <ol class="timeline">{{#.entries}}<li><span class="at">{{#.time}}{{>text}}{{/.time}}</span>{{>mark}}<div><p>\
        {{>text}}{{#.links}} {{>link}}{{/.links}}</p>\
        {{#.details}}<details><summary>{{.label}}</summary>{{#.blocks}}{{>*.template}}{{/.blocks}}</details>\
        {{/.details}}</div></li>{{/.entries}}</ol>

        """

    private static let checks = """
        <ul class="checks">{{#.checks}}<li>{{>mark}}<div><p class="name">{{.name}}</p>{{#.reason}}<p class="reason">\
        {{>text}}</p>{{/.reason}}\
        {{#.details}}<details><summary>{{.label}}</summary>{{#.blocks}}{{>*.template}}{{/.blocks}}</details>\
        {{/.details}}</div></li>{{/.checks}}</ul>

        """

    private static let chart = """
        <figure class="chart"><figcaption>{{.title}}</figcaption><div class="drawing">{{{.svg}}}</div>{{#.narrow}}\
        <div class="drawing narrow">{{{.}}}</div>{{/.narrow}}\
        <details><summary>{{.figuresLabel}}</summary>{{#.table}}{{>*.template}}{{/.table}}</details></figure>

        """

    private static let live = """
        <section class="live" data-live="{{.path}}" aria-label="{{.words.connected}}"><div class="live-bar">\
        <span class="live-state" data-connecting="{{.words.connecting}}" data-connected="{{.words.connected}}" \
        data-interrupted="{{.words.interrupted}}" role="status"></span>\
        <button type="button" class="button" data-waiting="{{.words.waiting}}" hidden></button>\
        <button type="button" class="button" data-pause="{{.words.pause}}" data-resume="{{.words.resume}}" hidden>\
        {{.words.pause}}</button></div>\
        <ol class="rows">{{#.rows}}{{>live-row}}{{/.rows}}</ol><p class="nothing">{{.empty}}</p></section>

        """
    /// A row that opens has its link inside, because a summary must not contain another control.
    private static let liveRow = """
        <li id="row-{{.id}}" data-kind="{{.kind}}">{{#.details}}<details><summary>{{/.details}}<span class="at">\
        {{#.time}}{{>text}}{{/.time}}</span>{{>mark}}\
        {{#.kindText}}<span class="kind">{{.}}</span>{{/.kindText}}<span class="what">\
        {{#.isLink}}<a href="{{.path}}">{{/.isLink}}{{>text}}{{#.isLink}}</a>{{/.isLink}}</span>\
        {{#.details}}</summary>{{#.links}}<p>{{>link}}</p>{{/.links}}{{#.blocks}}{{>*.template}}{{/.blocks}}</details>\
        {{/.details}}</li>
        """

    /// Each button posts the order that it makes; the script's drag posts the whole order.
    private static let order = """
        <form class="order" method="post" action="{{.path}}" data-order>{{#.formToken}}{{>token}}{{/.formToken}}\
        {{#.fields}}<input type="hidden" name="{{.name}}" value="{{.value}}">{{/.fields}}<ol aria-label="{{.label}}">\
        {{#.items}}<li data-id="{{.id}}"><span class="grip"\
         aria-hidden="true"></span>\
        <span class="what">{{#.isLink}}<a href="{{.path}}">{{/.isLink}}{{.text}}{{#.isLink}}</a>{{/.isLink}}</span>\
        {{#.note}}<span class="note">{{.}}</span>{{/.note}}\
        <button class="move" name="order" value="{{.upOrder}}" aria-label="{{.upLabel}}"{{#.isFirst}} disabled{{/.isFirst}}\
        >↑</button>\
        <button class="move" name="order" value="{{.downOrder}}" aria-label="{{.downLabel}}"{{#.isLast}} disabled{{/.isLast}}\
        >↓</button></li>{{/.items}}</ol>\
        <button class="button prominent" data-save name="order" value="" hidden>{{.save}}</button></form>

        """
}
