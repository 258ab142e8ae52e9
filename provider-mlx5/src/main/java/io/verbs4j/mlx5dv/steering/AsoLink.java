/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * Lets rules of one domain use an object of another domain until it is closed; created by
 * {@link SteeringDomain#linkAso}. Thread-safe. Source: mlx5dv_dr_aso_other_domain_link, in mlx5dv_dr_flow(3).
 */
public final class AsoLink extends SteeringHandle {
    private static final String KIND = "ASO link";
    private static final String LINK = "mlx5dv_dr_aso_other_domain_link";
    private static final String UNLINK = "mlx5dv_dr_aso_other_domain_unlink";

    private final long domain;

    private AsoLink(VendorContext base, long object, Referents referents, long domain) {
        super(base, KIND, object, referents);
        this.domain = domain;
    }

    static AsoLink create(
            SteeringDomain domain, DevxObject object, SteeringDomain peer, int flags, int returnRegister) {
        int register = Answers.narrow(LINK, "returnRegister", returnRegister, 0xff);
        HandleMaker<AsoLink> maker = new HandleMaker<>(
                domain.base(),
                LINK,
                38,
                KIND,
                (base, address, referents) -> new AsoLink(base, address, referents, domain.address()));
        long own = maker.referents.add("domain", domain);
        long other = maker.referents.add("peer", peer);
        long aso = maker.referents.add("object", object);
        return maker.make((function, c) -> {
            Answers.check(LINK, function.call(aso, other, own, flags & 0xffff_ffffL, register));
            return aso;
        });
    }

    @Override
    void destroy() {
        Answers.check(UNLINK, Libmlx5.function(UNLINK, 38).call(address(), domain));
    }
}
