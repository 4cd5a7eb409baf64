/// Figures, tables, facts, timelines, code, notices, live lists.
extension StyleSheet {
    static let blocks = """
        section>*+*{margin-top:12px}
        section>.heading+*{margin-top:8px}
        section section{margin-top:24px}
        main>section{margin-top:32px}
        .actions{display:flex;flex-wrap:wrap;align-items:center;gap:8px}
        .button{display:inline-flex;align-items:center;justify-content:center;gap:6px;min-height:32px;padding:4px 12px;
          border:1px solid var(--edge);border-color:color-mix(in srgb,var(--edge) 60%,var(--ground));border-radius:6px;
          background:var(--ground);color:var(--ink);font-weight:500;font-size:13px;white-space:nowrap;cursor:pointer}
        .button:hover{background:var(--soft);text-decoration:none}
        .button.prominent{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
        .button.prominent:hover{background:color-mix(in srgb,var(--accent) 88%,var(--ink))}
        .button.danger{border-color:var(--bad);color:var(--bad)}
        .button.danger:hover{background:var(--bad-tint)}
        .button:disabled{opacity:.5;cursor:default}
        .download::after{content:"⤓"/""}
        .act{display:inline-flex;align-items:center;gap:4px}
        .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(176px,1fr));gap:16px 0;padding:4px 0}
        .figures>div{padding:0 24px;border-inline-start:1px solid var(--line);min-width:0}
        .figures>div:first-child{padding-inline-start:0;border:0}
        dt{color:var(--muted);font-size:13px}
        .figures dt{padding-inline-end:20px}
        .figures dt .define{margin-inline-end:-20px}
        .figures dd{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;margin-top:2px}
        .figure{font-size:24px;line-height:1.3;font-weight:600;letter-spacing:-.02em;overflow-wrap:anywhere}
        .figure a{color:inherit}
        .others{flex-basis:100%;color:var(--muted);font-size:13px;overflow-wrap:anywhere}
        .change{font-size:13px;font-weight:500;color:var(--muted)}
        .change.good{color:var(--good)}
        .change.bad{color:var(--bad)}
        .spark{width:100%;max-width:144px;height:24px;overflow:visible;flex-basis:100%}
        .spark polyline{stroke-width:1.5;vector-effect:non-scaling-stroke}
        .define{display:inline-block;position:relative;margin-inline-start:4px;vertical-align:1px}
        .define>summary{display:grid;place-items:center;width:15px;height:15px;border:1px solid var(--line);
          border-radius:50%;color:var(--muted);font-size:10px;line-height:1;position:relative}
        .define>summary::after{content:"";position:absolute;inset:-8px}
        .define>summary:hover,.define[open]>summary{border-color:var(--accent);color:var(--accent)}
        .define>.sheet{position:absolute;z-index:15;top:22px;left:-8px;width:max-content;max-width:min(280px,70vw);
          padding:8px 12px;font-size:13px}
        .end .define>.sheet{left:auto;right:-8px}
        .table{position:relative;overflow-x:auto;overflow-y:clip}
        .table:focus-visible{outline-offset:-2px}
        .table:has(.define[open]){overflow:visible}
        table{width:100%;border-collapse:collapse;font-size:13px}
        th{text-align:start;font-weight:500}
        thead th{padding:6px 12px;color:var(--muted);font-size:12px;white-space:nowrap;
          border-bottom:1px solid var(--line)}
        tbody th,td{padding:7px 12px;border-bottom:1px solid var(--line);vertical-align:baseline;font-weight:400}
        tr>:first-child{padding-inline-start:0}
        tr>:last-child{padding-inline-end:0}
        tbody tr:hover>*{background:color-mix(in srgb,var(--soft) 70%,transparent)}
        .end{text-align:end;white-space:nowrap}
        tbody th a{font-weight:500}
        .total>*{font-weight:600;border-top:1px solid var(--edge)}
        .acts{text-align:end;white-space:nowrap}
        .acts .button{min-height:26px;padding:1px 8px;font-size:12px}
        .opener{-webkit-appearance:none;appearance:none;width:26px;height:26px;margin:0;border-radius:6px;
          vertical-align:middle;cursor:pointer;display:inline-grid;place-items:center}
        .opener::before{content:"";width:6px;height:6px;border:solid var(--muted);border-width:0 1.5px 1.5px 0;
          transform:translateY(-1px) rotate(45deg)}
        .opener:checked::before{transform:translateY(2px) rotate(225deg)}
        .opener:hover{background:var(--line)}
        .more{display:none}
        tr:has(.opener:checked)+.more{display:table-row}
        tr.more>td{padding:12px 16px 16px;background:var(--soft)}
        .more td>*+*{margin-top:12px}
        td code,dd code{font-size:12px;overflow-wrap:anywhere}
        .heatmap table{width:auto}
        .heatmap th{white-space:nowrap}
        .heatmap td.heat{min-width:60px;border:1px solid var(--ground);text-align:end;padding:6px 8px}
        .h0{--heat:5%}
        .h1{--heat:10%}
        .h2{--heat:16%}
        .h3{--heat:22%}
        .h4{--heat:29%}
        .h5{--heat:36%}
        .h6{--heat:44%}
        .h7{--heat:50%}
        .h8{--heat:56%}
        .h9{--heat:88%}
        .heat,tbody tr:hover>.heat{background:color-mix(in srgb,var(--accent) var(--heat),var(--ground))}
        .heat a{color:inherit}
        .h9{color:var(--on-accent)}
        @media screen and (prefers-color-scheme:dark){
          .h4{--heat:26%}
          .h5{--heat:31%}
          .h6{--heat:36%}
          .h7{--heat:41%}
          .h8{--heat:46%}
        }
        """

    static let details = """
        .pages{display:flex;gap:8px;margin-top:12px}
        .status{white-space:nowrap}
        .status::before,.mark::before{content:"●"/"";margin-inline-end:6px;font-size:9px;vertical-align:1px;
          color:var(--muted)}
        .status.good::before,.mark.good::before{color:var(--good)}
        .status.warning::before,.mark.warning::before{content:"▲"/"";color:var(--warning)}
        .status.bad::before,.mark.bad::before{content:"■"/"";color:var(--bad)}
        .status.neutral::before,.mark.neutral::before{content:"○"/""}
        .facts{font-size:13px}
        .facts>div{display:grid;grid-template-columns:minmax(112px,34%) minmax(0,1fr);gap:16px;padding:6px 0;
          border-bottom:1px solid var(--line)}
        .facts>div:last-child{border:0}
        .timeline li{display:grid;grid-template-columns:168px 16px minmax(0,1fr);gap:8px;padding:7px 0;font-size:13px;
          position:relative}
        .timeline .at,.rows .at{color:var(--muted);font-size:12px;line-height:20px}
        .timeline .mark{position:relative}
        .timeline .mark::before{margin:0}
        .timeline li:not(:last-child) .mark::after{content:"";position:absolute;left:4px;top:22px;bottom:-10px;
          width:1px;background:var(--line)}
        .timeline p a{margin-inline-start:4px}
        .columns .timeline li{grid-template-columns:16px minmax(0,1fr);gap:0 8px}
        .columns .timeline .at{grid-column:2;grid-row:2}
        .columns .timeline .mark{grid-row:1}
        .checks li{display:grid;grid-template-columns:20px minmax(0,1fr);padding:7px 0;
          border-bottom:1px solid var(--line);font-size:13px}
        .checks li:last-child{border:0}
        .checks .name{font-weight:500}
        .checks .reason{color:var(--muted)}
        .checks .mark.good::before{content:"✓"/"";font-size:13px}
        .checks .mark.bad::before{content:"✕"/"";font-size:13px}
        .timeline summary,.checks summary,.fold>summary,.chart summary{display:inline-flex;align-items:center;gap:8px;
          padding:4px 0;color:var(--muted);font-size:13px}
        .timeline summary::before,.checks summary::before,.fold>summary::before,.chart summary::before,
          .rows summary::before{content:"";flex:none;width:6px;height:6px;border:solid var(--muted);
          border-width:0 1.5px 1.5px 0;transform:rotate(-45deg)}
        .timeline [open]>summary::before,.checks [open]>summary::before,.fold[open]>summary::before,
          .chart [open]>summary::before,.rows [open]>summary::before{transform:rotate(45deg)}
        .fold>summary{font-weight:500;color:var(--ink)}
        .fold>*+*{margin-top:8px}
        .code{border:1px solid var(--line);border-radius:8px;background:var(--soft);min-width:0}
        .code-head{display:flex;justify-content:space-between;align-items:center;min-height:32px;padding:0 4px 0 12px;
          color:var(--muted);font-size:12px}
        .code pre{margin:0;max-height:420px;padding:0 12px 10px;overflow:auto;tab-size:4}
        .copy{border:0;border-radius:4px;background:none;padding:2px 8px;min-height:24px;color:var(--accent);
          font-size:12px;cursor:pointer}
        .copy:hover{background:var(--tint)}
        .notice{padding:10px 16px;border-inline-start:3px solid var(--edge);border-radius:4px;background:var(--soft)}
        .notice.good{border-color:var(--good);background:var(--good-tint)}
        .notice.warning{border-color:var(--warning);background:var(--warning-tint)}
        .notice.bad{border-color:var(--bad);background:var(--bad-tint)}
        .notice .advice{color:var(--muted)}
        .empty{padding:32px 24px;border:1px dashed var(--line);border-radius:8px;text-align:center;color:var(--muted)}
        .empty .actions{justify-content:center}
        .empty>*+*{margin-top:12px}
        .empty .code{max-width:560px;margin-inline:auto;text-align:start}
        .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(336px,100%),1fr));gap:32px}
        .columns>div{min-width:0}
        .columns>div>*+*{margin-top:24px}
        .links{display:flex;flex-wrap:wrap;gap:4px 16px}
        .same{position:relative;display:inline-block}
        .same>summary{display:inline-flex;align-items:center;gap:6px;min-height:26px;padding:0 6px;border-radius:6px;
          color:var(--muted);font:11px ui-monospace,Menlo,Consolas,monospace}
        .same>summary:hover,.same[open]>summary{background:var(--soft);color:var(--ink)}
        .same>.sheet{position:absolute;z-index:15;top:calc(100% + 4px);left:0;width:min(520px,80vw);padding:12px}
        .same .code{margin-top:8px}
        .title .same>.sheet,.heading .same>.sheet,.acts .same>.sheet{left:auto;right:0}
        .filters{display:none}
        .filter{position:static;display:flex;flex-wrap:wrap;align-items:end;gap:12px 24px;width:auto;margin-inline:0;
          padding:0;border:0;background:none;color:inherit;overflow:visible}
        .filter .label{display:block;margin-bottom:2px;color:var(--muted);font-size:12px}
        .filter nav ul{display:inline-flex;flex-wrap:wrap;padding:2px;border-radius:8px;background:var(--soft)}
        .filter nav a{display:block;padding:4px 12px;border-radius:6px;color:var(--muted);font-size:13px}
        .filter nav a:hover{color:var(--ink);text-decoration:none}
        .filter nav [aria-current]{background:var(--raised);box-shadow:0 1px 2px #14182833;color:var(--ink);
          font-weight:500}
        .filter form{display:flex;flex-wrap:wrap;align-items:end;gap:8px 12px;min-width:0}
        .filter form.row{align-items:end}
        .filter form.row .field{flex:none;gap:2px}
        .filter form.row .button{border-color:var(--edge);background:var(--ground);color:var(--ink)}
        .filter form.row .button:hover{background:var(--soft)}
        .filter form.row label{color:var(--muted);font-size:12px;font-weight:400}
        .filter form.row .required{display:none}
        .filter form.row .buttons{margin:0}
        .live-bar{position:sticky;top:52px;z-index:10;display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px;
          min-height:44px;background:var(--ground)}
        .live-state{margin-inline-end:auto;color:var(--muted);font-size:13px}
        .live-state:not(:empty)::before{content:"●"/"";margin-inline-end:6px;font-size:9px}
        .live-state.on::before{color:var(--good)}
        .live-state.off::before{color:var(--bad)}
        .rows{border-top:1px solid var(--line)}
        .rows:empty{border:0}
        .rows:not(:empty)+.nothing{display:none}
        .nothing{padding:24px 0;color:var(--muted)}
        .rows>li{border-bottom:1px solid var(--line);font-size:13px;animation:none}
        .rows>li.new{animation:enter .25s ease-out}
        .rows>li:not(:has(>details)),.rows summary{display:flex;align-items:baseline;gap:10px;padding:7px 0}
        .rows>li:not(:has(>details)){padding-inline-start:16px}
        .rows .at{flex:0 0 168px;white-space:nowrap}
        .rows .kind{flex:0 0 112px;color:var(--muted)}
        .rows .what{min-width:0;overflow-wrap:anywhere}
        .rows .mark::before{margin:0}
        .rows details>:not(summary){margin:0 0 12px 16px}
        .rows summary::before{margin-inline-end:-2px}
        @keyframes enter{
          from{opacity:0;transform:translateY(-6px)}
        }
        @media (prefers-reduced-motion:reduce){
          *,*::before,*::after{animation:none!important;transition:none!important;scroll-behavior:auto!important}
        }
        .order li{display:flex;align-items:center;gap:8px;padding:4px 0;border-bottom:1px solid var(--line);
          background:var(--ground)}
        .order .what{flex:1;min-width:0}
        .order .move{min-width:28px;min-height:28px;border:1px solid var(--line);border-radius:6px;background:none;
          cursor:pointer}
        .order .move:disabled{opacity:.35;cursor:default}
        .order [data-save]{margin-top:12px}
        .order .dragged{opacity:.5}
        .order .grip{display:none}
        .order.drags .grip{display:block;width:10px;height:16px;cursor:grab;
          background:radial-gradient(circle,var(--edge) 1.2px,transparent 1.4px) 0 0/5px 5px}
        """
}
