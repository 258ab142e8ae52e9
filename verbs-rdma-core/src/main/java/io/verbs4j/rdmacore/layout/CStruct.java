/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The type of C that a class of constants describes. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CStruct {
    /**
     * The type, as C writes it.
     *
     * @return such as {@code struct ibv_qp_attr}
     */
    String value();

    /**
     * The header that declares it.
     *
     * @return a name for {@code #include <>}
     */
    String header() default "infiniband/verbs.h";

    /**
     * The first release of rdma-core that has it.
     *
     * @return a major number; 12, the first there was, for what is older, and without a meaning for headers of the C library
     */
    int since() default 12;
}
