/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The C type that a class of constants describes. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CStruct {
    /**
     * The type, as written in C.
     *
     * @return for instance {@code struct ibv_qp_attr}
     */
    String value();

    /**
     * The header that declares the type.
     *
     * @return a name for {@code #include <>}
     */
    String header() default "infiniband/verbs.h";

    /**
     * The first release of rdma-core that has the type.
     *
     * @return a major number; 12, the first release, for older types; without meaning for headers of the C library
     */
    int since() default 12;
}
