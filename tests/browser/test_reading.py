"""Reading in a browser: keyboard, focus, print, modes, and pages without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.pages import EXAMPLE, LEDGER, LEDGERS, PAGE, PHONE, WAITS, WIDE, Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser


def test_the_page_of_a_wrong_address_has_its_style_at_any_depth(
    page: Page, site: Served
) -> None:
    body = (site.folder / "404.html").read_text("utf-8")
    if '<base href="/">' not in body:
        pytest.skip("released for another address")
    wrong = f"{site.address}no/such/page.html"
    page.route(wrong, lambda route: route.fulfill(status=404, body=body))
    page.goto(wrong)
    shown = "getComputedStyle(document.querySelector('.sidebar-drawer')).display"
    assert page.evaluate(shown) == "flex"
    page.locator(".sidebar-tree summary", has_text="Evidence").click()
    assert page.get_by_role("link", name="Ledger", exact=True).is_visible()
    page.get_by_role("link", name="Every claim, by chapter").click()
    assert page.url == site.address + LEDGERS


def test_the_policy_is_in_force(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    ran = page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.head.append(script);
          document.body.insertAdjacentHTML("beforeend", "<b onclick='window.ran = true'>b</b>");
          document.body.lastElementChild.click();
          return window.ran ?? false;
        }"""
    )
    assert ran is False
    assert page.evaluate("document.body.dataset.theme") == "auto"  # furo's own ran


def test_a_page_opened_from_the_disk_has_its_style(page: Page, site: Served) -> None:
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text))
    page.goto((site.folder / PAGE).as_uri())
    width = "getComputedStyle(document.querySelector('.sidebar-drawer')).width"
    assert page.evaluate(width) != "auto"
    assert page.evaluate("typeof SphinxHighlight") == "object"
    assert problems == []


def test_the_theme_changes_by_its_button_and_stays(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    button = page.locator(".theme-toggle-content button")
    while page.evaluate("document.body.dataset.theme") != "dark":
        button.click()
    page.goto(site.address + LEDGER)
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after


def test_the_copy_button_is_seen_when_it_has_the_focus(
    page: Page, site: Served
) -> None:
    page.goto(site.address + PAGE)
    page.mouse.move(0, 0)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.copybtn')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).opacity") == "1"


def test_copying_leaves_out_prompts_and_outputs(page: Page, site: Served) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(site.address + PAGE)
    page.evaluate(
        """() => {
          const code = document.querySelector(".highlight pre");
          code.innerHTML = "<span class='gp'>$ </span>nox -s docs\\n"
            + "<span class='go'>done\\n</span><span class='gp'>>>> </span>1 + 1";
        }"""
    )
    page.locator(".highlight").first.hover()
    page.locator(".highlight .copybtn").first.click()
    page.locator(".copybtn", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "nox -s docs\n1 + 1"


def test_a_scrolling_block_is_reached_by_keyboard(phone: Page, site: Served) -> None:
    phone.goto(site.address + EXAMPLE)
    phone.locator("pre[tabindex]").first.focus()
    phone.keyboard.press("ArrowRight")
    phone.wait_for_timeout(300)  # it scrolls smoothly
    assert phone.evaluate("document.activeElement.scrollLeft") > 0


def test_without_scripts_everything_but_search_works(plain: Page, site: Served) -> None:
    plain.goto(site.address + PAGE)
    plain.locator("details.ev > summary").first.click()
    assert plain.locator("details.ev[open] p").first.is_visible()
    plain.locator(".nav-overlay-icon").click()
    plain.locator(".sidebar-tree summary", has_text="Evidence").click()
    plain.get_by_role("link", name="Ledger", exact=True).first.click()
    plain.wait_for_url("**/ledger.html")
    plain.locator("table.chapters a").first.click()
    assert plain.locator("table.ledger tbody tr").count() > 1


def test_without_scripts_the_system_decides_the_mode(
    chromium: Browser, site: Served
) -> None:
    seen = set()
    for scheme in ("light", "dark"):
        context = chromium.new_context(java_script_enabled=False, color_scheme=scheme)
        found = context.new_page()
        found.goto(site.address + PAGE)
        shot = found.screenshot(clip={"x": 600, "y": 2, "width": 4, "height": 4})
        seen.add(shot)
        context.close()
    assert len(seen) == 2


#: Every kind of field, link and button, and whether it shows that it has the focus.
UNSEEN_FOCUS = """
(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector);
  box.focus({ focusVisible: true });
  const { outlineStyle, outlineWidth } = getComputedStyle(box);
  return outlineStyle === "none" || parseFloat(outlineWidth) < 2;
})
"""
FIELDS = {
    "index.html": [".sidebar-search", ".find input", ".find button", "summary"],
    LEDGER: [".ledger-filters input", ".ledger-filters select", ".strip a"],
    "404.html": [".find input"],
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_shows_that_it_has_the_focus(
    page: Page, site: Served, name: str
) -> None:
    page.goto(site.address + name)
    page.keyboard.press("Tab")
    assert page.evaluate(UNSEEN_FOCUS, FIELDS[name]) == []
    page.locator(FIELDS[name][0]).evaluate("(box) => { box.style.outline = 'none' }")
    assert page.evaluate(UNSEEN_FOCUS, FIELDS[name]) == FIELDS[name][:1]


#: Code that is smaller than 13 px.
SMALL_CODE = """
() => {
  document.querySelectorAll("details").forEach((box) => { box.open = true; });
  const code = [...document.querySelectorAll("[role=main] :is(code, pre, pre span)")];
  return code.filter((box) => parseFloat(getComputedStyle(box).fontSize) < 13)
    .map((box) => box.textContent.slice(0, 40));
}
"""


@pytest.mark.parametrize("name", ["index.html", PAGE, EXAMPLE, WAITS])
def test_code_has_13_pixels(phone: Page, site: Served, name: str) -> None:
    phone.goto(site.address + name)
    assert phone.evaluate(SMALL_CODE) == []
    phone.set_viewport_size(WIDE)
    assert phone.evaluate(SMALL_CODE) == []
    code = phone.locator("[role=main] code").first
    code.evaluate("(box) => { box.style.fontSize = '12px'; }")
    assert len(phone.evaluate(SMALL_CODE)) >= 1


def test_nothing_moves_for_those_who_ask_for_rest(page: Page, site: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.address + PAGE)
    moving = """[...document.querySelectorAll("*")].filter((box) => {
      const { scrollBehavior, transitionDuration } = getComputedStyle(box);
      return scrollBehavior === "smooth" || parseFloat(transitionDuration) > 0;
    }).length"""
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moving) > 0


def test_the_copy_button_is_seen_where_nothing_hovers(
    chromium: Browser, site: Served
) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    touched = context.new_page()
    touched.goto(site.address + PAGE)
    button = touched.locator(".copybtn").first
    assert button.evaluate("(box) => getComputedStyle(box).opacity") == "1"
    assert (button.bounding_box() or {"height": 0})["height"] >= 24
    context.close()


#: Tables without a name, and their cells that do not say what they name.
UNNAMED = """
[...document.querySelectorAll("[role=main] table")].flatMap((table) => [
  ...(table.caption?.textContent.trim() ? [] : ["caption"]),
  ...(table.querySelector("thead th[scope=col]") ? [] : ["columns"]),
  ...(table.querySelector("tbody th[scope=row]") ? [] : ["rows"]),
])
"""


@pytest.mark.parametrize(
    "name", [LEDGER, LEDGERS, PAGE, EXAMPLE, WAITS, "evidence/coverage/amp.html"]
)
def test_a_table_says_what_it_holds(page: Page, site: Served, name: str) -> None:
    page.goto(site.address + name)
    assert page.locator("[role=main] table").count() > 0
    assert page.evaluate(UNNAMED) == []
    page.evaluate("document.querySelector('table').deleteCaption()")
    assert page.evaluate(UNNAMED) == ["caption"]


def test_a_print_keeps_evidence_and_addresses(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    fact = page.locator("details.ev p").first
    assert not fact.is_visible()
    page.emulate_media(media="print")
    assert fact.is_visible()
    link = page.locator("article a[href^=http]").first
    address = link.get_attribute("href")
    shown = link.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert address and address in shown


def test_a_print_shows_the_text_alone(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    page.emulate_media(media="print", color_scheme="dark")
    hidden = (".skip-to-content", ".sidebar-drawer", ".toc-drawer", ".copybtn")
    for selector in (*hidden, ".content-icon-container", ".page-twin"):
        assert not page.locator(selector).first.is_visible(), selector
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.locator(".claim-text").first.is_visible()


def test_the_skip_link_is_the_first_stop(page: Page, site: Served) -> None:
    page.goto(site.address + PAGE)
    stops = []
    for _ in range(3):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.className"))
    assert any("skip-to-content" in stop for stop in stops)
    box = page.locator(".skip-to-content")
    box.focus()
    page.wait_for_timeout(400)  # it slides in
    assert (box.bounding_box() or {"y": -1})["y"] >= 0


@pytest.mark.parametrize(
    ("status", "opened"),
    [(200, f"{PAGE}?q=pin#pinned-copy-is-faster"), (404, "index.html")],
)
def test_another_version_opens_at_the_same_page_if_it_has_that(
    page: Page, site: Served, status: int, opened: str
) -> None:
    older = f"{site.address}2.11/"

    def answer(route: Route) -> None:
        asked = route.request.method == "HEAD"
        route.fulfill(status=status if asked else 200, body="older")

    page.route(f"{older}**", answer)
    page.goto(f"{site.address}{PAGE}?q=pin#pinned-copy-is-faster")
    page.get_by_role("navigation", name="Versions").get_by_role("link").first.click()
    page.wait_for_url(older + opened)
