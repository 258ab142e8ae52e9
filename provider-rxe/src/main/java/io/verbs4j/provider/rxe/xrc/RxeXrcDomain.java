/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Context;
import io.verbs4j.XrcDomain;

/** A handle of an XRC domain. */
public final class RxeXrcDomain extends XrcDomain {
    private final XrcDomainState state;

    RxeXrcDomain(Context context, XrcDomainState state) {
        super(context);
        this.state = state;
    }

    /** The domain. */
    public XrcDomainState state() {
        return state;
    }
}
