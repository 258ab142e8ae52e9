/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The connection manager through librdmacm, provided as {@link io.verbs4j.cm.spi.CmProvider}. As far as librdmacm
 * knows, its ids have no queue pairs. So queue pairs of the program's own context connect, and librdmacm's contexts are
 * never used.
 */
package io.verbs4j.rdmacore.cm;
