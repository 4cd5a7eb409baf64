/// The console's style: system fonts, hairlines, one accent colour; light and dark, wide and narrow, screen and paper.
enum StyleSheet {
    static let text = [colours, base, frame, blocks, details, forms, charts, narrow, paper].joined(separator: "\n")

    /// Text and controls reach the contrast of WCAG's AA on their grounds in both schemes.
    private static let colours = """
        :root{color-scheme:light dark;--ground:#fff;--raised:#fff;--soft:#f3f4f6;--ink:#1b1e24;--muted:#5a616d;
          --line:#e5e7eb;--edge:#868d99;--accent:#4a3fcf;--on-accent:#fff;--tint:#efeefc;--good:#0a7042;
          --warning:#8a5700;--bad:#be2626;--good-tint:#eaf6ef;--warning-tint:#fdf4e3;--bad-tint:#fdeeee;
          --shadow:0 8px 28px #14182826,0 1px 3px #1418281f;--c1:#4a3fcf;--c2:#c2570c;--c3:#0b7a75;--c4:#a8247d;
          --c5:#6b6f1d;--before:#9aa1ad}
        @media screen and (prefers-color-scheme:dark){
          :root{--ground:#101216;--raised:#2c313a;--soft:#1a1d23;--ink:#e7e9ee;--muted:#9ca3af;--line:#272b33;
            --edge:#6c7482;--accent:#a9a1ff;--on-accent:#14112b;--tint:#211f3a;--good:#52c58f;--warning:#e2ab48;
            --bad:#ff8279;--good-tint:#12251c;--warning-tint:#2a2113;--bad-tint:#2d1717;
            --shadow:0 8px 28px #000a,0 0 0 1px #ffffff14;--c1:#a9a1ff;--c2:#f0924f;--c3:#45bdb5;--c4:#e77bc2;
            --c5:#b9bd5c;--before:#6c7482}
        }
        """

    private static let base = """
        *,*::before,*::after{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:64px}
        body{margin:0;background:var(--ground);color:var(--ink);
          font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang TC","Microsoft JhengHei",sans-serif;
          font-variant-numeric:tabular-nums;overflow-wrap:break-word}
        h1,h2,h3,p,ul,ol,dl,dd,figure,fieldset{margin:0;padding:0;border:0}
        ul,ol{list-style:none}
        h1{font-size:22px;line-height:1.25;font-weight:650;letter-spacing:-.012em;overflow-wrap:anywhere}
        h2{font-size:15px;font-weight:650}
        h3{font-size:14px;font-weight:600}
        a{color:var(--accent);text-decoration:none}
        a:hover{text-decoration:underline;text-underline-offset:2px}
        code,pre,kbd{font:12px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
        button,input,select,textarea{font:inherit;color:inherit}
        summary{cursor:pointer;list-style:none}
        summary::-webkit-details-marker{display:none}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
        [hidden]{display:none!important}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .note{color:var(--muted);font-size:12px}
        .icon{width:18px;height:18px;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;
          stroke-linejoin:round;flex:none}
        .skip{position:absolute;left:8px;top:-60px;z-index:50;background:var(--ground);padding:8px 12px;
          border-radius:6px}
        .skip:focus{top:8px}
        details:not([open])>.sheet{display:none}
        .sheet{background:var(--ground);border:1px solid var(--line);border-radius:8px;box-shadow:var(--shadow);
          padding:8px;font-weight:400;color:var(--ink);text-align:start;white-space:normal}
        """

    private static let paper = """
        @media print{
          @page{margin:16mm}
          :root{color-scheme:only light;--ground:#fff;--soft:#fff;--ink:#000;--muted:#444;--line:#bbb;--edge:#777;
            --accent:#000;--tint:#fff;--before:#999}
          body{display:block;font-size:10pt}
          .side,.tabs,.search,.user,.skip,.trail,.filter,.filters,.actions,.act,.acts,.pages,.same,.copy,.define,.live-bar,
            .menu:not(.app,.environment),.menu>summary::after,.buttons,.chart details,.fold:not([open]),
            section>.form,section:not(:has(>:not(.heading,.form,.same))),
            .order .move,.order .grip,:is(.timeline,.checks) details:not([open]){display:none!important}
          .heat,tbody tr:hover>.heat{background:color-mix(in srgb,#bbb var(--heat),#fff);color:inherit}
          .bar{position:static;height:auto;padding:0 0 8px}
          .brand{width:auto}
          .menu>summary{padding:0 8px 0 0}
          main{max-width:none;padding:12px 0 0}
          a{color:inherit;text-decoration:none}
          table{font-size:9pt}
          .drawing :is(text,.axis,.label){font-size:14px}
          .columns{display:block}
          .columns>div+div{margin-top:16pt}
          .facts>div{grid-template-columns:30% minmax(0,1fr)}
          thead th,.end{white-space:normal}
          tbody th,td:not(:has(.status)){overflow-wrap:anywhere}
          .heatmap table{width:100%}
          .heatmap :is(th,td.heat){min-width:0;padding:3px;font-size:7pt;white-space:normal}
          thead{display:table-header-group}
          tr,figure,.figures,.facts>div,.timeline li,.checks li{break-inside:avoid}
          h2,h3{break-after:avoid}
          .table{overflow:visible}
          .code pre{max-height:none;white-space:pre-wrap}
        }
        """
}
