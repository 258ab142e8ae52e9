/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Java counterparts of librdmacm's programs, for any device with a connection manager. */
package io.verbs4j.compat.guest.cm;
