/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.ContextSlot;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdInitAttrMask;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.base.Arguments;
import io.verbs4j.slot.CloseXrcd;
import io.verbs4j.slot.OpenXrcd;
import java.util.List;

/** The library's part of the verbs about XRC domains. */
final class XrcVerbs implements OpenXrcd, CloseXrcd {
    private static final long KNOWN = XrcdInitAttrMask.FILE | XrcdInitAttrMask.OFLAGS;

    private final ObjectState context;
    private final ProviderSide side;
    private final Handles handles;

    XrcVerbs(ObjectState context, ProviderSide side, Handles handles) {
        this.context = context;
        this.side = side;
        this.handles = handles;
    }

    @Override
    public XrcDomain openXrcd(XrcdInitAttr attr) {
        String verb = "open_xrcd";
        Arguments.notNull(verb, "attr", attr);
        Masks.check(verb, attr, KNOWN, XrcdInitAttrMask.LIBRARY_BITS, XrcdInitAttrMask::toString);
        Masks.need(verb, attr, KNOWN, XrcdInitAttrMask::toString);
        if (attr.file() == null && (attr.oflags() & XrcdOpenFlags.CREAT) == 0) {
            throw Arguments.invalid(
                    verb, "file is null: a domain without a file is always a new one; set CREAT in oflags");
        }
        ObjectState state = new ObjectState(context.owner(), Kind.XRCD, List.of(context));
        OpenXrcd provider = side.slot(verb, ContextSlot.OPEN_XRCD, OpenXrcd.class);
        Creation creation = handles.begin(verb, state);
        try (creation) {
            return creation.done(creation.made(provider.openXrcd(attr)));
        } catch (Throwable t) {
            throw side.failed(verb, t);
        }
    }

    @Override
    public void closeXrcd(XrcDomain xrcd) {
        String verb = "close_xrcd";
        CloseXrcd provider = side.slot(verb, ContextSlot.CLOSE_XRCD, CloseXrcd.class);
        handles.destroy(verb, "xrcd", xrcd, p -> provider.closeXrcd(xrcd));
    }
}
