/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.VerbsLevel;
import io.verbs4j.tools.text.Printable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes the levels of program, library and provider of an open device, and which extended verbs they give. */
public final class LevelsText {
    private LevelsText() {}

    /**
     * {@return the text for people}
     *
     * @param context an open device
     */
    public static String write(Context context) {
        ContextAttr attr = context.queryContext();
        StringBuilder out =
                new StringBuilder("hca_id:\t" + Printable.of(context.device().name()) + "\n");
        party(out, "program", attr.callerLevel(), "");
        party(out, "header", VerbsLevel.runtime(), "");
        party(out, "library", attr.libraryLevel(), attr.libraryOrigin());
        party(out, "provider", attr.providerLevel(), attr.providerName() + ", " + attr.providerOrigin());
        for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
            out.append(String.format(
                    Locale.ROOT,
                    "\t%-22s came with level %d: %s%n",
                    ContextSlot.verb(slot),
                    ContextSlot.level(slot),
                    state(attr, slot)));
        }
        return out.toString();
    }

    private static void party(StringBuilder out, String who, int level, String whence) {
        String told = level == 0 ? "unknown level" : "level " + level;
        out.append(
                String.format(Locale.ROOT, "\t%-22s %s%s%n", who, told, whence.isEmpty() ? "" : " (" + whence + ")"));
    }

    private static String state(ContextAttr attr, int slot) {
        long state = attr.slots().get(slot, ContextAttr.SLOT_STATE);
        if (attr.hasVerb(slot)) {
            return "can be called";
        }
        String why = (state & ContextAttr.LIBRARY_HAS) == 0 ? "the library is too old" : "the device can't";
        return attr.canCall(slot) ? why + "; verbs of level 1 stand in" : why;
    }

    /**
     * {@return the same for programs}
     *
     * @param context an open device
     */
    public static Map<String, Object> json(Context context) {
        ContextAttr attr = context.queryContext();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("hca_id", context.device().name());
        map.put("program_level", attr.callerLevel());
        map.put("header_level", VerbsLevel.runtime());
        map.put("library_level", attr.libraryLevel());
        map.put("library", attr.libraryOrigin());
        map.put("provider_level", attr.providerLevel());
        map.put("provider_name", attr.providerName());
        map.put("provider", attr.providerOrigin());
        Map<String, Object> verbs = new LinkedHashMap<>();
        for (int slot = 0; slot < ContextSlot.COUNT; slot++) {
            verbs.put(ContextSlot.verb(slot), state(attr, slot));
        }
        map.put("extended_verbs", verbs);
        return map;
    }
}
