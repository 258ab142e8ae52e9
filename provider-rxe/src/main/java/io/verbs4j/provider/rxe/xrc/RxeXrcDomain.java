/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.Context;
import io.verbs4j.XrcDomain;

/** A program's handle of an XRC domain. */
public final class RxeXrcDomain extends XrcDomain {
    /** The domain. */
    public final XrcDomainState domain;

    RxeXrcDomain(Context context, XrcDomainState domain) {
        super(context);
        this.domain = domain;
    }
}
