/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.provider.mlx5.Mlx5Context;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.call.Libmlx5;

/**
 * Lets rules of one domain use an object of another one: {@link SteeringDomain#linkAso}. Closing ends that. Thread-safe. Source:
 * mlx5dv_dr_aso_other_domain_link, in mlx5dv_dr_flow(3).
 */
public final class AsoLink extends SteeringHandle {
    private static final String KIND = "ASO link";
    private static final String LINK = "mlx5dv_dr_aso_other_domain_link";
    private static final String UNLINK = "mlx5dv_dr_aso_other_domain_unlink";

    private final long domain;

    private AsoLink(Mlx5Context base, long object, Referents referents, long domain) {
        super(base, KIND, object, referents);
        this.domain = domain;
    }

    static AsoLink create(
            SteeringDomain domain, DevxObject object, SteeringDomain peer, int flags, int returnRegister) {
        Mlx5Context base = domain.base();
        int register = Answers.narrow(LINK, "returnRegister", returnRegister, 0xff);
        Referents referents = new Referents(base, LINK);
        long own = referents.add("domain", domain);
        long other = referents.add("peer", peer);
        long aso = referents.add("object", object);
        return make(
                base,
                LINK,
                KIND,
                referents,
                () -> {
                    Answers.check(
                            LINK, Libmlx5.function(LINK, 38).call(aso, other, own, flags & 0xffff_ffffL, register));
                    return aso;
                },
                address -> new AsoLink(base, address, referents, own));
    }

    @Override
    void destroy() {
        Answers.check(UNLINK, Libmlx5.function(UNLINK, 38).call(address(), domain));
    }
}
