<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="yes" encoding="UTF-8"/>
  <xsl:strip-space elements="*"/>
  <xsl:param name="currency" select="'EUR'"/>
  <xsl:key name="by-category" match="item" use="@category"/>
  <xsl:decimal-format name="money" decimal-separator="." grouping-separator=","/>
  <xsl:variable name="total" select="sum(//item/price)"/>

  <xsl:template match="/catalogue">
    <html>
      <head><title><xsl:value-of select="@name"/></title></head>
      <body>
        <h1><xsl:value-of select="translate(@name, 'abc', 'ABC')"/></h1>
        <xsl:for-each select="item[generate-id() = generate-id(key('by-category', @category)[1])]">
          <xsl:sort select="@category"/>
          <h2><xsl:number value="position()" format="I. "/><xsl:value-of select="@category"/></h2>
          <table>
            <xsl:apply-templates select="key('by-category', @category)">
              <xsl:sort select="price" data-type="number" order="descending"/>
            </xsl:apply-templates>
          </table>
        </xsl:for-each>
        <p>Total: <xsl:value-of select="format-number($total, '#,##0.00', 'money')"/><xsl:text> </xsl:text><xsl:value-of select="$currency"/></p>
        <xsl:call-template name="stars"><xsl:with-param name="count" select="5"/></xsl:call-template>
        <xsl:copy-of select="remarks/node()"/>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="item">
    <tr id="{@id}">
      <xsl:attribute name="class">
        <xsl:choose>
          <xsl:when test="price &gt; 100">dear</xsl:when>
          <xsl:when test="contains(name, 'book') or starts-with(name, 'a')">liked</xsl:when>
          <xsl:otherwise>plain</xsl:otherwise>
        </xsl:choose>
      </xsl:attribute>
      <td><xsl:value-of select="normalize-space(name)"/></td>
      <td><xsl:value-of select="concat(format-number(price, '0.00'), ' ', substring-before(price, '.'))"/></td>
      <td><xsl:value-of select="count(preceding-sibling::item) + 1"/> of <xsl:value-of select="last()"/></td>
      <xsl:if test="string-length(name) mod 2 = 0"><td>even</td></xsl:if>
    </tr>
  </xsl:template>

  <xsl:template name="stars">
    <xsl:param name="count"/>
    <xsl:if test="$count &gt; 0">*<xsl:call-template name="stars"><xsl:with-param name="count" select="$count - 1"/></xsl:call-template></xsl:if>
  </xsl:template>
</xsl:stylesheet>
